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
    "https://example.com/a/very/long/path/to/some/page.html",
    "pass: 12 tests",
  ])("%s", (text) => expect(maskSecrets(text)).toBe(text));
});
