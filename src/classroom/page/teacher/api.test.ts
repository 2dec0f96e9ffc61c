import { describe, expect, it } from "vitest";
import { Api } from "./api.ts";

const json = { "content-type": "application/json; charset=utf-8" };
const answering = (status: number, body: string, headers: Record<string, string> = json) =>
  new Api("/course/", () => Promise.resolve(new Response(status === 204 ? null : body, { status, headers })));

describe("asking the server", () => {
  it("sends JSON below the site's path and gives the answer", async () => {
    const asked: unknown[] = [];
    const api = new Api("/course/", (url, { method, body }) => {
      asked.push([url, method, body]);
      return Promise.resolve(Response.json({ id: "k" }, { status: 201 }));
    });
    expect(await api.ask("POST", "/classes", { name: "A" })).toEqual({ id: "k" });
    expect(asked).toEqual([["/course/api/classes", "POST", '{"name":"A"}']]);
  });

  it.each([
    ["a refusal", 409, '{"error":"changed-meanwhile"}', "changed-meanwhile"],
    ["a proxy's page", 502, "<html>", "unavailable"],
    ["anything else", 418, "", "failed"],
  ])("%s is thrown as its word", async (_title, status, body, word) => {
    await expect(answering(status, body).ask("GET", "/classes")).rejects.toMatchObject({ word });
  });

  it("has nothing to give where the server has nothing to say", async () => {
    expect(await answering(204, "").ask("DELETE", "/session")).toBeUndefined();
  });

  it("says that there is no connection", async () => {
    const api = new Api("/", () => Promise.reject(new TypeError("Failed to fetch")));
    await expect(api.me()).rejects.toMatchObject({ word: "no-connection" });
  });

  it.each([
    ["a page that is not there", 404, "<html>", { "content-type": "text/html" }],
    ["the start page at every address", 200, "<html>", { "content-type": "text/html" }],
    ["nothing said of what it is", 404, "", {}],
  ])("takes %s for a copy without a classroom", async (_title, status, body, headers) => {
    expect(await answering(status, body, headers as Record<string, string>).me()).toBeUndefined();
  });

  it("takes a server that is down for one that is down", async () => {
    await expect(answering(503, '{"error":"unavailable"}').me()).rejects.toMatchObject({ word: "unavailable" });
    await expect(answering(502, "<html>", { "content-type": "text/html" }).me()).rejects.toMatchObject({ word: "unavailable" });
  });
});
