/** A metric math expression, as far as alarms here use it. */
export type Expression =
  | { readonly kind: "number"; readonly value: number }
  | { readonly kind: "id"; readonly id: string }
  | { readonly kind: "call"; readonly name: string; readonly args: readonly Expression[] }
  | { readonly kind: "minus"; readonly operand: Expression }
  | {
      readonly kind: "binary";
      readonly operator: Operator;
      readonly left: Expression;
      readonly right: Expression;
    };

/** Binary operators by how tightly they bind, the loosest first. `&&` and `||` are other spellings. */
const levels = [["OR"], ["AND"], ["==", "!=", "<=", ">=", "<", ">"], ["+", "-"], ["*", "/"]] as const;
export type Operator = (typeof levels)[number][number];
const spellings: Readonly<Record<string, string>> = { "&&": "AND", "||": "OR" };

/** Ids begin with a small letter, functions and logical operators are in capitals (CloudWatch guide, metric math syntax). */
const tokens = /\s*(?:(\d+(?:\.\d+)?)|([a-z]\w*)|([A-Z]\w*)|(==|!=|<=|>=|&&|\|\||[-+*/<>(),]))/y;

type TokenKind = "number" | "id" | "name" | "sign" | "end";
interface Token {
  readonly kind: TokenKind;
  readonly text: string;
}

/** Parses an expression; an error says what isn't understood. */
export function parse(text: string): Expression {
  return new Parser(text).whole();
}

function tokenize(text: string): Token[] {
  const found: Token[] = [];
  const kinds: readonly TokenKind[] = ["number", "id", "name", "sign"];
  tokens.lastIndex = 0;
  for (let at = 0; at < text.trimEnd().length; at = tokens.lastIndex) {
    const groups = tokens.exec(text)?.slice(1) ?? [];
    const group = groups.findIndex(Boolean);
    const kind = kinds[group];
    if (kind === undefined) throw new Error(`metric math: "${text.slice(at).trim()}" isn't understood in "${text}"`);
    found.push({ kind, text: groups[group] ?? "" });
  }
  return found;
}

class Parser {
  private readonly tokens: Token[];
  private position = 0;

  constructor(private readonly text: string) {
    this.tokens = tokenize(text);
  }

  whole(): Expression {
    const expression = this.binary(0);
    if (this.next.kind !== "end") this.fail("the end");
    return expression;
  }

  private binary(level: number): Expression {
    const operators: readonly string[] | undefined = levels[level];
    if (operators === undefined) return this.operand();
    let left = this.binary(level + 1);
    for (;;) {
      const written = spellings[this.next.text] ?? this.next.text;
      const operator = levels[level]?.find((known) => known === written);
      if (operator === undefined) return left;
      this.position++;
      left = { kind: "binary", operator, left, right: this.binary(level + 1) };
    }
  }

  private operand(): Expression {
    const { kind, text } = this.next;
    this.position++;
    if (kind === "number") return { kind, value: Number(text) };
    if (kind === "id") return { kind, id: text };
    if (text === "-") return { kind: "minus", operand: this.operand() };
    if (text === "(") {
      const inner = this.binary(0);
      this.take(")");
      return inner;
    }
    if (kind === "name") {
      this.take("(");
      return { kind: "call", name: text, args: this.args() };
    }
    this.position--;
    return this.fail("a number, an id, a function or a bracket");
  }

  private args(): Expression[] {
    const args: Expression[] = [];
    while (this.next.text !== ")") {
      if (args.length > 0) this.take(",");
      args.push(this.binary(0));
    }
    this.take(")");
    return args;
  }

  private take(text: string): void {
    if (this.next.text !== text) this.fail(`"${text}"`);
    this.position++;
  }

  private get next(): Token {
    return this.tokens[this.position] ?? { kind: "end", text: "" };
  }

  private fail(wanted: string): never {
    const met = this.next.kind === "end" ? "the end" : `"${this.next.text}"`;
    throw new Error(`metric math: ${wanted} expected instead of ${met} in "${this.text}"`);
  }
}
