// What go1.26's net/url makes of texts: each row is its own answer (whether ParseRequestURI takes it; what Parse makes of it, or its refusal).

import { describe, expect, it } from "vitest";
import { GoUrl, isRequestUri } from "./go-url.ts";

const prefix = "URL parse error during conversion from string: ";

type Row = readonly [text: string, isUrl: boolean, answer: string | readonly unknown[]];

const rows: readonly Row[] = [
  [
    "https://a.example:80/b/c?d=e\u0026d=f\u0026g#frag",
    true,
    ["https", "a.example:80", "a.example", "80", "/b/c", { d: ["e", "f"], g: [""] }],
  ],
  ["HTTP://A.example", true, ["http", "A.example", "A.example", "", "", {}]],
  ["mailto:me@example.com", true, ["mailto", "", "", "", "", {}]],
  ["/only/path?x=1", true, ["", "", "", "", "/only/path", { x: ["1"] }]],
  ["//host/path", true, ["", "host", "host", "", "/path", {}]],
  ["http:", true, ["http", "", "", "", "", {}]],
  ["a:b", true, ["a", "", "", "", "", {}]],
  ["http://", true, ["http", "", "", "", "", {}]],
  ["http://user:p@ss@host:8080/", true, ["http", "host:8080", "host", "8080", "/", {}]],
  ["http://[fe80::1%25en0]:80/x", true, ["http", "[fe80::1%en0]:80", "fe80::1%en0", "80", "/x", {}]],
  ["http://[::1]", true, ["http", "[::1]", "::1", "", "", {}]],
  ["http://[::1", false, "URL parse error during conversion from string: parse \"http://[::1\": missing ']' in host"],
  ["http://x[::1]", false, 'URL parse error during conversion from string: parse "http://x[::1]": invalid IP-literal'],
  ["http://[1.2.3.4]/", false, 'URL parse error during conversion from string: parse "http://[1.2.3.4]/": invalid IP-literal'],
  ["http://a:b/", false, 'URL parse error during conversion from string: parse "http://a:b/": invalid port ":b" after host'],
  ["http://a:1:2/", false, 'URL parse error during conversion from string: parse "http://a:1:2/": invalid port ":1:2" after host'],
  ["db://a:1,b:2/x", true, ["db", "a:1,b:2", "a:1,b", "2", "/x", {}]],
  ["http://a b/", false, 'URL parse error during conversion from string: parse "http://a b/": invalid character " " in host name'],
  ["http://a%41b/", false, 'URL parse error during conversion from string: parse "http://a%41b/": invalid URL escape "%41"'],
  [
    "http://caf%C3%A9.example/é/%2f%41?q=%C3%A9+b;c\u0026x=%zz\u0026y=1",
    true,
    ["http", "café.example", "café.example", "", "/%C3%A9//A", { y: ["1"] }],
  ],
  ["http://a/%zz", false, 'URL parse error during conversion from string: parse "http://a/%zz": invalid URL escape "%zz"'],
  ["http://a/b c?d e", true, ["http", "a", "a", "", "/b%20c", { "d e": [""] }]],
  ["http://a/?b#%zz", true, 'URL parse error during conversion from string: parse "http://a/?b#%zz": invalid URL escape "%zz"'],
  ["*", true, ["", "", "", "", "*", {}]],
  ["", false, 'URL parse error during conversion from string: parse "": empty url'],
  ["relative", false, 'URL parse error during conversion from string: parse "relative": invalid URI for request'],
  ["1http://a", false, 'URL parse error during conversion from string: parse "1http://a": invalid URI for request'],
  [":a", false, 'URL parse error during conversion from string: parse ":a": missing protocol scheme'],
  [
    "http://a/\u0001",
    false,
    'URL parse error during conversion from string: parse "http://a/\\x01": net/url: invalid control character in URL',
  ],
  ["http://%é/", false, 'URL parse error during conversion from string: parse "http://%é/": invalid URL escape "%é"'],
  ["http://a/{x}|y", true, ["http", "a", "a", "", "/%7Bx%7D%7Cy", {}]],
  ["http://a?b", true, ["http", "a", "a", "", "", { b: [""] }]],
  ["http://a/b?", true, ["http", "a", "a", "", "/b", {}]],
  [
    "http://us\u003cer@h/",
    false,
    'URL parse error during conversion from string: parse "http://us\u003cer@h/": net/url: invalid userinfo',
  ],
  ["http://a:/", true, ["http", "a:", "a", "", "/", {}]],
  ["http://a/!'()*", true, ["http", "a", "a", "", "/!'()*", {}]],
];

function answerOf(text: string): Row[2] {
  try {
    const { scheme, host, hostname, port, escapedPath, query } = new GoUrl(text);
    return [scheme, host, hostname, port, escapedPath, Object.fromEntries(query)];
  } catch (error) {
    return prefix + (error as Error).message;
  }
}

describe("url() of expressions", () => {
  it.each(rows)("reads %j", (text, isUrl, answer) => {
    expect([isRequestUri(text), answerOf(text)]).toEqual([isUrl, answer]);
  });
});
