/** Put together here, so that no scanner takes this file for a leak. */
const of = (prefix: string, length: number, alphabet = "A1b2C3d4E5f6G7h8J9k0Lm"): string =>
  prefix + alphabet.repeat(Math.ceil(length / alphabet.length)).slice(0, length);

/** Secrets that are told by their form, each with what it is. */
export const planted: readonly (readonly [what: string, secret: string])[] = [
  ["an AWS key id", of("AKIA", 16, "ABCDEFGH23456789")],
  ["a GitHub token", of("ghp_", 36)],
  ["a fine-grained GitHub token", of("github_pat_", 60)],
  ["a GitLab token", of("glpat-", 20)],
  ["a Slack token", of("xoxb-", 40)],
  ["a Slack webhook", of("https://hooks.slack.com/services/T000/B000/", 24)],
  ["a Stripe key", of("sk_live_", 24)],
  ["an OpenAI key", of("sk-proj-", 40)],
  ["an Anthropic key", of("sk-ant-api03-", 40)],
  ["a Google key", of("AIza", 35)],
  ["a Google OAuth secret", of("GOCSPX-", 28)],
  ["an npm token", of("npm_", 36)],
  ["a PyPI token", of("pypi-", 60)],
  ["a Hugging Face token", of("hf_", 34)],
  ["a SendGrid key", `${of("SG.", 22)}.${of("", 43)}`],
  ["a Twilio key", of("SK", 32, "0123456789abcdef")],
  ["a Telegram bot token", of("123456789:AA", 33)],
  ["a JSON web token", `${of("eyJ", 20)}.${of("eyJ", 30)}.${of("", 43)}`],
  ["a GitLab token of the newer form", `${of("glpat-", 27)}.01.${of("", 9)}`],
  ["a Slack webhook of a workflow", of("https://hooks.slack.com/triggers/T000/", 24)],
  ["a Databricks token", of("dapi", 32, "0123456789abcdef")],
  ["a Supabase token", of("sbp_", 40, "0123456789abcdef")],
  ["a RubyGems key", of("rubygems_", 48, "0123456789abcdef")],
  ["a Postman key", `${of("PMAK-", 24, "0123456789abcdef")}-${of("", 34, "0123456789abcdef")}`],
  ["an Airtable token", `${of("pat", 14)}.${of("", 64, "0123456789abcdef")}`],
  ["a Terraform token", `${of("", 14)}.atlasv1.${of("", 60)}`],
  ["forty small letters and digits drawn by lot", "x7k2q9v4m1z8w3r6t0y5u2p9s4d7f1g6h3j8l0n5"],
  ["an age key", of("AGE-SECRET-KEY-1", 58, "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L")],
  ["forty characters drawn by lot", "q7Xz0PbV3mKd9RtY1wLcH5sGfJ2nU8aEoQ4iZ6xB"],
];
