// Offline use: registers the service worker once the page is quiet, and asks it to keep the page's language.

import { isLocale } from "../../i18n/locales.ts";
import type { FromWorker, ToWorker } from "../../offline/messages.ts";
import { savesData } from "./connection.ts";
import { find } from "./dom.ts";

const root = document.documentElement;
/** The page itself comes first. */
const quietMs = 4_000;

if (import.meta.env.PROD && "serviceWorker" in navigator)
  addEventListener("load", () => setTimeout(registerOnceQuiet, quietMs), { once: true });

/** A lab that is being opened has the line to itself, and a while longer for what its first command needs. */
function registerOnceQuiet(): void {
  if (root.dataset["lab"] === "opening") whenOpened(() => setTimeout(registerOnceQuiet, quietMs));
  else void register();
}

function whenOpened(act: () => void): void {
  const observer = new MutationObserver(() => {
    if (root.dataset["lab"] === "opening") return;
    observer.disconnect();
    act();
  });
  observer.observe(root, { attributeFilter: ["data-lab"] });
}

/** Keeps nothing for those who save data, nor on the page that has just forgotten everything. */
async function register(): Promise<void> {
  const { locale } = root.dataset;
  if (!isLocale(locale) || savesData() || root.dataset["forgotten"] === "true") return;
  try {
    await navigator.serviceWorker.register(`${import.meta.env.BASE_URL.replace(/\/?$/, "/")}sw.js`);
    const { active } = await navigator.serviceWorker.ready;
    navigator.serviceWorker.addEventListener("message", (event: MessageEvent<FromWorker>) => {
      if (event.data.kind === "kept") showReady();
    });
    navigator.serviceWorker.startMessages();
    active?.postMessage({ kind: "keep", locale } satisfies ToWorker);
  } catch (error) {
    // Private windows and some settings allow no worker: the course works online all the same.
    console.info(error);
  }
}

function showReady(): void {
  root.dataset["offline"] = "ready";
  const note = find("[data-offline-ready]", HTMLElement);
  if (note) note.hidden = false;
}
