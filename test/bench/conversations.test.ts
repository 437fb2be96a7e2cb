import { describe, expect, test } from "bun:test";
import {
  type Conversation,
  conversationQrels,
  conversationSource,
  fold,
  type Level,
  levels,
} from "../../src/bench/conversations.ts";
import { readLocomo } from "../../src/bench/locomo.ts";
import { readLongMemEval } from "../../src/bench/longmemeval.ts";
import { documentId } from "../../src/bench/source.ts";
import { readQrels } from "../../src/bench/trec.ts";
import { fileWith } from "./files.ts";
import { shared } from "./shared.ts";

const talk: Conversation = {
  id: "c",
  sessions: [
    {
      id: "c:S1",
      date: "Monday",
      turns: [
        { id: "c:D1:1", speaker: "Ann", text: "Hello" },
        { id: "c:D1:2", speaker: "Bob", text: "Hi" },
      ],
    },
    { id: "c:S2", date: "Friday", turns: [{ id: "c:D2:1", speaker: "Ann", text: "Bye" }] },
  ],
  questions: [
    {
      id: "c:q0",
      text: "Who?",
      kind: "1",
      unanswerable: false,
      turns: ["c:D1:2", "c:D2:1"],
      sessions: ["c:S1", "c:S2"],
    },
    { id: "c:q1", text: "Why?", kind: "5", unanswerable: true, turns: [], sessions: [] },
  ],
};
const apart = (text: string): string[] => text.split("\n\n");
const texts = (level: Level) => {
  const source = conversationSource(talk, level, apart);
  return source
    .sweep()
    .entries.map(({ path }) => [
      documentId(path),
      source.parse(path, source.read(path)).sections.flatMap(({ passages }) => passages.map(({ text }) => text)),
    ]);
};

describe("a conversation", () => {
  test("is searched by session, every passage below the session's date", () => {
    expect(texts("session")).toEqual([
      ["c:S1", ["Monday\n\nAnn: Hello", "Monday\n\nBob: Hi"]],
      ["c:S2", ["Friday\n\nAnn: Bye"]],
    ]);
  });

  test("is searched by turn, below date and speaker", () => {
    const turns = [
      ["c:D1:1", ["Monday — Ann\n\nHello"]],
      ["c:D1:2", ["Monday — Bob\n\nHi"]],
      ["c:D2:1", ["Friday — Ann\n\nBye"]],
    ];
    expect(texts("turn")).toEqual(turns);
    expect(texts("session_from_turns")).toEqual(turns);
  });

  test("has passages that can be told apart, and stats that change with the text", () => {
    const source = conversationSource(talk, "session", apart);
    const [first] = source.sweep().entries;
    const blocks = source
      .parse(first?.path ?? "", new Uint8Array())
      .sections.flatMap(({ passages }) => passages.map(({ block }) => block));
    expect(new Set(blocks).size).toBe(blocks.length);
    const other = conversationSource({ ...talk, sessions: talk.sessions.toReversed() }, "session", apart);
    expect(other.sweep().entries[0]?.stat).not.toEqual(first?.stat);
  });

  test("ranks what is judged by its first appearance", () => {
    expect(fold(["c:S2", "c:S1", "c:S2"], talk, "session")).toEqual(["c:S2", "c:S1"]);
    expect(fold(["c:D1:2", "c:D1:1", "c:D1:2"], talk, "turn")).toEqual(["c:D1:2", "c:D1:1"]);
    expect(fold(["c:D1:2", "c:D2:1", "c:D1:1"], talk, "session_from_turns")).toEqual(["c:S1", "c:S2"]);
  });

  test("judges turns by turn and sessions by session, and nothing where there is no evidence", () => {
    expect(conversationQrels([talk], "turn")).toEqual(
      new Map([
        [
          "c:q0",
          new Map([
            ["c:D1:2", 1],
            ["c:D2:1", 1],
          ]),
        ],
        ["c:q1", new Map()],
      ]),
    );
    expect(conversationQrels([talk], "session_from_turns").get("c:q0")).toEqual(
      new Map([
        ["c:S1", 1],
        ["c:S2", 1],
      ]),
    );
  });
});

describe("LoCoMo", () => {
  const sample = (evidence: readonly string[]) => ({
    sample_id: "conv-1",
    conversation: {
      speaker_a: "Ann",
      session_1_date_time: "1 May",
      session_1: [
        { speaker: "Ann", dia_id: "D1:1", text: "Hello", blip_caption: "a photo" },
        { speaker: "Bob", dia_id: "D1:2", text: "Hi" },
      ],
      session_2_date_time: "2 May",
    },
    qa: [{ question: "Who?", answer: 2022, evidence, category: 5 }],
  });
  const read = (evidence: readonly string[]) => readLocomo(fileWith(JSON.stringify([sample(evidence)])));

  test("has its sessions with their turns, without captions", () => {
    const [conversation] = read(["D1:2"]);
    expect(conversation?.sessions).toEqual([
      {
        id: "conv-1:S1",
        date: "1 May",
        turns: [
          { id: "conv-1:D1:1", speaker: "Ann", text: "Hello" },
          { id: "conv-1:D1:2", speaker: "Bob", text: "Hi" },
        ],
      },
    ]);
    expect(conversation?.questions[0]).toEqual({
      id: "conv-1:q0",
      text: "Who?",
      kind: "5",
      unanswerable: true,
      turns: ["conv-1:D1:2"],
      sessions: ["conv-1:S1"],
    });
  });

  test.each([
    [["D1:1; D1:2"], ["conv-1:D1:1", "conv-1:D1:2"]],
    [
      ["D1:2 D1:1", "D1:2"],
      ["conv-1:D1:2", "conv-1:D1:1"],
    ],
    [["D:1:2"], ["conv-1:D1:2"]],
    [["D1:02"], ["conv-1:D1:2"]],
    [["D", "D1:9", "D7:1"], []],
    [[], []],
  ])("reads the evidence %j", (evidence, turns) => {
    expect(read(evidence)[0]?.questions[0]?.turns).toEqual(turns);
  });

  test("of another shape is refused", () => {
    expect(() => readLocomo(fileWith("{}"))).toThrow("is not a list of objects");
    expect(() => readLocomo(fileWith('[{"sample_id": "x"}]'))).toThrow("sample 1 holds no conversation");
    expect(() => readLocomo(fileWith("[{"))).toThrow("cannot be read");
  });

  const real = shared("locomo10.json");
  real.test("as published has ten conversations, 1,986 questions, 1,982 of them with evidence", () => {
    const conversations = readLocomo(real.path);
    const questions = conversations.flatMap((conversation) => conversation.questions);
    expect(conversations).toHaveLength(10);
    expect(conversations.flatMap(({ sessions }) => sessions)).toHaveLength(272);
    expect(conversations.flatMap(({ sessions }) => sessions.flatMap(({ turns }) => turns))).toHaveLength(5_882);
    expect(questions).toHaveLength(1_986);
    expect(questions.filter(({ turns }) => turns.length > 0)).toHaveLength(1_982);
    expect(questions.filter(({ unanswerable }) => unanswerable)).toHaveLength(446);
  });

  for (const [name, level] of [
    ["locomo-turns", "turn"],
    ["locomo-sessions", "session"],
  ] as const) {
    const beir = shared("beir", name, "qrels", "test.tsv");
    beir.test(`has the judgements that ${name} has, but for one id with a colon too many`, () => {
      const ours = conversationQrels(readLocomo(real.path), level);
      const theirs = readQrels(beir.path);
      const ids = (judged: ReadonlyMap<string, number> | undefined): string[] => [...(judged?.keys() ?? [])].sort();
      const differing = [...ours].filter(([id, judged]) => ids(judged).join() !== ids(theirs.get(id)).join());
      expect(differing.map(([id]) => id)).toEqual(["conv-43:q18"]);
    });
  }
});

describe("LongMemEval", () => {
  const item = {
    question_id: "q1",
    question_type: "multi-session",
    question: "Where?",
    answer_session_ids: ["answer_7"],
    haystack_dates: ["2023/05/20 (Sat) 02:21", "2023/05/21 (Sun) 10:00"],
    haystack_session_ids: ["sharegpt_1", "answer_7"],
    haystack_sessions: [
      [{ role: "user", content: "Hello" }],
      [
        { role: "user", content: "I moved", has_answer: true },
        { role: "assistant", content: "Good", has_answer: false },
      ],
    ],
  };
  const read = (...items: readonly unknown[]) => readLongMemEval(fileWith(JSON.stringify(items)));

  test("has one conversation for each question, and finds its evidence by mark and by session", () => {
    const [conversation] = read(item);
    expect(conversation?.sessions.map(({ id, date, turns }) => [id, date, turns.length])).toEqual([
      ["q1:S0", "2023/05/20 (Sat) 02:21", 1],
      ["q1:S1", "2023/05/21 (Sun) 10:00", 2],
    ]);
    expect(conversation?.questions).toEqual([
      {
        id: "q1",
        text: "Where?",
        kind: "multi-session",
        unanswerable: false,
        turns: ["q1:S1:T0"],
        sessions: ["q1:S1"],
      },
    ]);
  });

  test("lets no id that tells the answer into the index", () => {
    const [conversation] = read(item);
    for (const level of ["session", "turn"] as const) {
      const source = conversation && conversationSource(conversation, level, (text) => [text]);
      const seen = source
        ?.sweep()
        .entries.map(({ path }) => [path, JSON.stringify(source.parse(path, source.read(path)))]);
      expect(JSON.stringify(seen)).not.toContain("answer");
    }
  });

  test("knows the questions that have no answer", () => {
    expect(read({ ...item, question_id: "q2_abs" })[0]?.questions[0]?.unanswerable).toBe(true);
  });

  test("of another shape is refused", () => {
    expect(() => read(item, item)).toThrow("holds a question twice");
    expect(() => read({ question_id: "q1" })).toThrow("question 1 has no haystack");
  });
});

test("every level says what is indexed and what is judged", () => {
  expect(Object.keys(levels)).toEqual(["session", "turn", "session_from_turns"]);
});
