// openssl.cnf: sections of `name = value` lines.

import { OpensslFailure } from "./failure.ts";

export class Configuration {
  readonly #sections: ReadonlyMap<string, ReadonlyMap<string, string>>;

  constructor(text: string) {
    const sections = new Map<string, Map<string, string>>();
    let section = new Map<string, string>();
    sections.set("default", section);
    for (const line of text.replace(/\\\n/g, "").split("\n")) {
      const bare = line.replace(/(^|\s)#.*$/, "").trim();
      if (bare === "") continue;
      const header = /^\[\s*(.*?)\s*\]$/.exec(bare);
      if (header !== null) {
        const name = header[1] as string;
        section = sections.get(name) ?? new Map();
        sections.set(name, section);
        continue;
      }
      const split = bare.indexOf("=");
      if (split < 0) throw new OpensslFailure(`error on line: ${bare}: missing equal sign`);
      section.set(bare.slice(0, split).trim(), this.#expanded(bare.slice(split + 1).trim(), sections, section));
    }
    this.#sections = sections;
  }

  has(section: string): boolean {
    return this.#sections.has(section);
  }

  section(name: string): ReadonlyMap<string, string> {
    return this.#sections.get(name) ?? new Map();
  }

  /** A value of a section, or of the default one. */
  value(section: string, name: string): string | undefined {
    return this.section(section).get(name) ?? this.section("default").get(name);
  }

  /** `$name`, `${name}` and `${section::name}`. */
  #expanded(
    text: string,
    sections: ReadonlyMap<string, ReadonlyMap<string, string>>,
    section: ReadonlyMap<string, string>,
  ): string {
    return text.replace(/\$(?:\{([^}]+)\}|([A-Za-z_]\w*))/g, (_all, braced: string | undefined, plain: string | undefined) => {
      const name = braced ?? plain ?? "";
      const [place, variable] = name.includes("::") ? (name.split("::") as [string, string]) : [undefined, name];
      return (place === undefined ? section : sections.get(place))?.get(variable) ?? sections.get("default")?.get(variable) ?? "";
    });
  }
}

/** The defaults of a system's openssl.cnf, as far as requests and self-signed certificates use them. */
export const systemConfiguration = `[req]
default_bits = 2048
distinguished_name = req_distinguished_name
x509_extensions = v3_ca

[v3_ca]
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid:always,issuer
basicConstraints = critical,CA:true

[req_distinguished_name]
countryName = Country Name (2 letter code)
countryName_default = AU
stateOrProvinceName = State or Province Name (full name)
stateOrProvinceName_default = Some-State
localityName = Locality Name (eg, city)
0.organizationName = Organization Name (eg, company)
0.organizationName_default = Internet Widgits Pty Ltd
organizationalUnitName = Organizational Unit Name (eg, section)
commonName = Common Name (e.g. server FQDN or YOUR name)
emailAddress = Email Address
`;
