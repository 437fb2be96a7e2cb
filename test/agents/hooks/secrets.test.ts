import { describe, expect, test } from "bun:test";
import { masked, maskSecrets } from "../../../src/agents/secrets.ts";
import { planted } from "./planted.ts";

describe("a secret is removed", () => {
  test.each(planted)("%s", (_, secret) => {
    expect(maskSecrets(`use ${secret} for it`)).toBe(`use ${masked} for it`);
  });

  test.each([
    ["password: hunter2", `password: ${masked}`],
    ["Password: correcthorse", `Password: ${masked}`],
    ["Passwort = geheim123", `Passwort = ${masked}`],
    ["пароль: секрет99", `пароль: ${masked}`],
    ["密码：abcd1234", `密码：${masked}`],
    ["API_KEY=abcdefgh", `API_KEY=${masked}`],
    ['client_secret: "abcd efg"', `client_secret: "${masked}"`],
    ["**Password:** hunter2", `**Password:** ${masked}`],
    ["`password`: `correct horse`", `\`password\`: \`${masked}\``],
    ["my password is hunter2!", `my password is ${masked}`],
    ["aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", `aws_secret_access_key = ${masked}`],
    ["postgres://bob:s3cr3t@db/x", `postgres://bob:${masked}@db/x`],
    ["Authorization: Bearer abcdefghij1234567", `Authorization: Bearer ${masked}`],
    ["Authorization: Bearer abcdefghijklmnopqrst", `Authorization: Bearer ${masked}`],
    // Lines of a .env file.
    ["DB_PASS=hunter2", `DB_PASS=${masked}`],
    ["export SMTP_PASS=letmein", `export SMTP_PASS=${masked}`],
    ["STRIPE_KEY=abcdefgh12345678", `STRIPE_KEY=${masked}`],
    ["BASIC_AUTH=bob:hunter2", `BASIC_AUTH=${masked}`],
    ["DB_PASSWORD='hun ter2'", `DB_PASSWORD='${masked}'`],
    ['DB_PASSWORD="hun\\"ter2x"', `DB_PASSWORD="${masked}"`],
    ["smtp_pass: letmein", `smtp_pass: ${masked}`],
    ["_auth=Ym9iOmh1bnRlcjIy", `_auth=${masked}`],
    ["password: |\n  hunter2", `password: |\n  ${masked}`],
    // What a shell is given.
    ["psql --password=letmein", `psql --password=${masked}`],
    ["tool --password hunter2 x", `tool --password ${masked} x`],
    ["curl -u bob:hunter2 https://x", `curl -u bob:${masked} https://x`],
    ["sshpass -p hunter2 ssh h", `sshpass -p ${masked} ssh h`],
    ["mysql -u root -phunter2 db", `mysql -u root -p${masked} db`],
    ["machine h login bob password hunter2", `machine h login bob password ${masked}`],
    // Connection strings.
    ["postgres://bob:p@ss/w0rd@db:5432/x", `postgres://bob:${masked}@db:5432/x`],
    ["redis://:hunter2@cache:6379/0", `redis://:${masked}@cache:6379/0`],
    ["Server=db;User Id=sa;Password=Hunter2;", `Server=db;User Id=sa;Password=${masked};`],
    ["https://A1b2C3d4E5f6G7h8J9k0@git.example/x", `https://${masked}@git.example/x`],
    // Prose and tables.
    ["| password | hunter2 |", `| password | ${masked} |`],
    [
      "| user | password | note |\n| --- | --- | --- |\n| root | letmein | old |\n| bob | `hunter2` | — |\n",
      `| user | password | note |\n| --- | --- | --- |\n| root | ${masked} | old |\n| bob | \`${masked}\` | — |\n`,
    ],
    ["host | api key\n--- | ---\n| a | k3y0n3tw0thr33four |", `host | api key\n--- | ---\n| a | ${masked} |`],
    [
      "> | user | DB password |\n> | --- | --- |\n> | root | letmein (old) |",
      `> | user | DB password |\n> | --- | --- |\n> | root | ${masked} (old) |`,
    ],
    ['<wsse:Password Type="text">letmein</wsse:Password>', `<wsse:Password Type="text">${masked}</wsse:Password>`],
    ["Cookie: theme=dark; sid=38afes7a8ahdkq1x", `Cookie: theme=dark; sid=${masked}`],
    ["<password>letmein</password>", `<password>${masked}</password>`],
    ["<client_secret>\n  a1b2c3d4\n</client_secret>", `<client_secret>\n  ${masked}\n</client_secret>`],
    ["Cookie: sid=82RYd5gyHC51P26lw7VJ; theme=dark", `Cookie: sid=${masked}; theme=dark`],
    ["WPA2 key: cWWn0OKVCfwp", `WPA2 key: ${masked}`],
    ["Password → hunter2", `Password → ${masked}`],
    ["Das Passwort ist geheim123", `Das Passwort ist ${masked}`],
    ["recovery phrase: legal winner thank year wave", `recovery phrase: ${masked}`],
    // Hexadecimal digits under a name.
    [`signing_key = ${"0123456789abcdef".repeat(4)}`, `signing_key = ${masked}`],
    [`Cookie: session=${"0123456789abcdef".repeat(2)}`, `Cookie: session=${masked}`],
    [`https://x.example/?key=${"0123456789abcdef".repeat(2)}`, `https://x.example/?key=${masked}`],
  ])("%s", (text, safe) => expect(maskSecrets(text)).toBe(safe));

  test("a private key, whole or cut off", () => {
    const begin = ["-----BEGIN OPENSSH", "PRIVATE KEY-----"].join(" ");
    const end = ["-----END OPENSSH", "PRIVATE KEY-----"].join(" ");
    expect(maskSecrets(`a\n${begin}\nb3BlbnNz\n${end}\nb`)).toBe(`a\n${masked}\nb`);
    expect(maskSecrets(`a\n${begin}\nb3BlbnNz`)).toBe(`a\n${masked}`);
  });
});

describe("what is no secret stays", () => {
  test.each([
    "commit 9cea2cb1d2e3f4a5b6c7d8e9f0a1b2c3d4e5f607",
    "sha256 dec31c8182f3d744c7d2c09423756fd1d17cbef75808db13ba01cc0aab4d1ac6",
    "550e8400-e29b-41d4-a716-446655440000",
    "src/FooBarBaz2Qux/HelloWorldThing.ts",
    "getUserByEmailAddressOrThrowIfNotFound2",
    "the token: the unit of text that a model reads",
    "token = await getToken()",
    "password: $DB_PASSWORD",
    "password: <your password>",
    "API_KEY=$API_KEY",
    "The password is stored hashed",
    "use basic authentication everywhere",
    "key_value_store_with_a_long_name_and_more",
    "[`9cea2cb`](https://github.com/es-shims/globalThis/commit/9cea2cb1d2e3f4a5b6c7d8e9f0a1b2c3d4e5f607)",
    "https://localhost:8080/path?mail=a@b.example",
    "postgres://db:5432/x?owner=a@b.example",
    "docker run -p 8080:80 --user 1000:1000 image",
    "tool --token to pass",
    "| password | required |",
    "PRIMARY_KEY=identity",
    "tokenize='porter unicode61'",
    "public key: 0123456789abcdef0123456789abcdef",
    "the first-pass: algorithm",
    "https://example.com/a/very/long/path/to/some/page.html",
    "pass: 12 tests",
    "| model | tokens |\n| --- | --- |\n| small | 128k |\n",
    "| suite | passed |\n| --- | --- |\n| store | 12345 |\n",
    "| field | password |\n| --- | --- |\n| rule | at least 12 characters |\n| from | $DB_PASSWORD |\n",
    "<password></password>",
    "| pin | PWM |\n| --- | --- |\n| 3 | PWM0 |\n",
    "| method | password |\n| --- | --- |\n| login | required |\n| since | 2025-01-02 |\n",
    "| algorithm | Password hashing |\n| --- | --- |\n| a | PBKDF2 |\n",
    "| call | Token endpoint |\n| --- | --- |\n| a | https://login.example/oauth2/v2.0/token |\n",
    "| model | Token |\n| --- | --- |\n| a | o200k_harmony |\n| b | GITHUB_TOKEN_V2 |\n| c | 2025-01-02T10:00:00Z |\n",
    "wpa_key_mgmt=WPA-PSK",
    "License key: Apache-2.0",
    "<tokenValidity>PT3600S</tokenValidity>",
    "<pwm>1000</pwm>",
    "Set-Cookie: theme=solarized-dark-v2",
  ])("%s", (text) => expect(maskSecrets(text)).toBe(text));
});
