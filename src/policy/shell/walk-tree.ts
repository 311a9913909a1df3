import type { Node } from 'web-tree-sitter';
import { holdsCommand, setting } from './setting.ts';
import { hasExpansion, readArithmetic, readWord, setsOnlyNumbers, short, type Word, type WordParts } from './word.ts';

/** A simple command before it is known what its words run. */
export interface FoundCommand {
  readonly words: readonly Word[];
  readonly beside: readonly string[];
  readonly writes?: readonly string[];
  readonly hides?: string;
}

export interface WalkParts {
  readonly source: string;
  /** The line stands in another one, whose variables it may see. */
  readonly isInner: boolean;
  add(command: FoundCommand): void;
}

/** What a command does beside what its words say. */
interface Effects {
  add(what: string, writes?: string | null): void;
  any(): boolean;
  all(): Pick<FoundCommand, 'beside' | 'writes'>;
}

/** What stands behind a command's redirections. */
interface Attached {
  readonly words: readonly Word[];
  readonly beside: Effects;
}

function lastCommand(node: Node): Node | undefined {
  if (node.type === 'command') return node;
  const isRow = node.type === 'list' || node.type === 'pipeline' || node.type === 'negated_command';
  const last = isRow ? node.lastNamedChild : null;
  return last === null ? undefined : lastCommand(last);
}

function createEffects(): Effects {
  const beside: string[] = [];
  const writes: string[] = [];
  return {
    add(what, target) {
      beside.push(what);
      if (target != null) writes.push(target);
    },
    any: () => beside.length > 0,
    all: () => ({ beside, ...(writes.length === 0 ? {} : { writes }) }),
  };
}

/** Nodes that hold statements and signs, and no words of their own. */
const CONTAINERS = new Set(
  'program list pipeline subshell if_statement elif_clause else_clause while_statement do_group negated_command'.split(
    ' ',
  ),
);
/** Nodes that hold words beside statements. */
const WITH_WORDS = new Set('for_statement case_statement case_item'.split(' '));
const CONDITIONS = new Set(
  'unary_expression binary_expression parenthesized_expression postfix_expression ternary_expression'.split(' '),
);
const STATEMENTS = new Set([
  ...CONTAINERS,
  ...WITH_WORDS,
  ...'command redirected_statement compound_statement c_style_for_statement function_definition declaration_command unset_command variable_assignment variable_assignments test_command comment'.split(
    ' ',
  ),
]);
const BLANK = /^(?:[ \t\n]|\\\n)*$/;
const BETWEEN_WORDS = /^(?:[ \t]|\\\n)*[ \t](?:[ \t]|\\\n)*$/;
/** Places to write to that keep nothing. */
const FREE_TARGETS = /^\/dev\/(?:null|stdout|stderr|tty|fd\/\d+)$/;
const FREE_SOURCES = /^\/dev\/(?:null|stdin|zero|fd\/\d+)$/;

/**
 * Walks the whole of a shell line's tree. Every letter of the line has to belong to something that is known:
 * whatever does not makes the line one that hides what it runs, since the parser may have misread it.
 */
export function walkTree(root: Node, { source, isInner, add }: WalkParts): void {
  const parts: WordParts = {
    run: (node) => statements(node),
    hasOnlyNumbers: !isInner && setsOnlyNumbers(source),
    hide: (why) => add({ words: [], beside: [], hides: why }),
  };

  /** By the command's node. */
  const attached = new Map<number, Attached>();

  const gap = (from: number, to: number, pattern = BLANK) => {
    const between = source.slice(from, to);
    // The shell takes a line's continuation out, and what stood around it becomes one word.
    const isGlue = between !== '' && between.replaceAll('\\\n', '') === '';
    if (isGlue || !pattern.test(between)) parts.hide(`${short(between) || 'a word'} is not understood`);
  };

  /** Checks that nothing stands between the children but blanks, and gives each to `each`. */
  function children(node: Node, each: (child: Node) => void, onDash?: () => void): void {
    let at = node.startIndex;
    for (const child of node.children) {
      if (!child) continue;
      // The grammar has no name for the `-` in `cat - <<E`.
      if (onDash && /^[ \t]+-[ \t]+$/.test(source.slice(at, child.startIndex))) onDash();
      else gap(at, child.startIndex);
      at = child.endIndex;
      each(child);
    }
    gap(at, node.endIndex);
  }

  const statements = (node: Node) =>
    children(node, (child) => {
      if (child.isNamed || STATEMENTS.has(child.type)) statement(child);
    });

  function statement(node: Node): void {
    if (CONTAINERS.has(node.type)) statements(node);
    else if (WITH_WORDS.has(node.type)) withWords(node);
    else single(node);
  }

  function single(node: Node): void {
    switch (node.type) {
      case 'command':
        command(node, attached.get(node.id));
        return;
      case 'redirected_statement':
        redirected(node);
        return;
      case 'compound_statement':
        if (node.text.startsWith('((')) readArithmetic(node, parts);
        else statements(node);
        return;
      case 'c_style_for_statement':
        for (const child of node.namedChildren) {
          if (!child) continue;
          if (STATEMENTS.has(child.type) || child.type === 'do_group') statement(child);
          else readArithmetic(child, parts);
        }
        return;
      case 'function_definition': {
        const name = node.childForFieldName('name')?.text ?? '';
        add({ words: [], beside: [`makes ${short(name)} another command`] });
        const body = node.childForFieldName('body');
        if (body) statement(body);
        const redirect = node.childForFieldName('redirect');
        if (redirect) parts.hide('a function with redirections is not understood');
        return;
      }
      case 'declaration_command':
      case 'unset_command':
        declaration(node);
        return;
      case 'variable_assignment':
      case 'variable_assignments':
        assignments(node);
        return;
      case 'test_command':
        condition(node);
        return;
      case 'comment':
        if (node.startIndex > 0 && !/[\s;&|()]/.test(source[node.startIndex - 1] ?? '')) {
          parts.hide(`${short(node.text)} is not understood`);
        }
        return;
      case 'file_redirect':
      case 'heredoc_redirect':
      case 'herestring_redirect': {
        const beside = createEffects();
        const words = redirect(node, beside);
        if (words.length > 0) parts.hide('a redirection is not understood');
        if (beside.any()) add({ words: [], ...beside.all() });
        return;
      }
      default:
        readWord(node, parts);
        parts.hide(`${short(node.text)} is not understood`);
    }
  }

  function withWords(node: Node): void {
    const variable = node.childForFieldName('variable')?.text;
    const why = variable === undefined ? undefined : setting(variable, null).hides;
    if (why !== undefined) parts.hide(why);
    children(node, (child) => {
      if (!child.isNamed) return;
      if (child.type === 'extglob_pattern' || child.type === 'regex') return pattern(child);
      if (STATEMENTS.has(child.type)) return statement(child);
      if (holdsCommand(readWord(child, parts).text)) parts.hide('a variable may hold a command');
    });
  }

  function pattern(node: Node): void {
    if (/[`<>;&]|\$[^)|]/.test(node.text)) parts.hide(`${short(node.text)} is not understood`);
  }

  function command(node: Node, more: Attached = { words: [], beside: createEffects() }): void {
    const words: Word[] = [];
    const { beside } = more;
    let hides: string | undefined;
    let at = node.startIndex;
    let last: Node | undefined;
    for (const child of node.children) {
      if (!child) continue;
      gap(
        at,
        child.startIndex,
        last === undefined
          ? BLANK
          : last.type.endsWith('_redirect') || child.type.endsWith('_redirect')
            ? BLANK
            : BETWEEN_WORDS,
      );
      at = child.endIndex;
      last = child;
      if (child.type === 'variable_assignment') {
        const set = assignment(child);
        beside.add(set.beside);
        hides ??= set.hides;
      } else if (child.type.endsWith('_redirect')) words.push(...redirect(child, beside));
      else if (child.isNamed) words.push(readWord(child, parts));
      else if (/^[=!<>\]=~]+$/.test(child.type)) words.push({ text: child.text, isGlob: false });
      else parts.hide(`${short(child.text)} is not understood`);
    }
    add({ words: [...words, ...more.words], ...beside.all(), ...(hides === undefined ? {} : { hides }) });
  }

  /**
   * A statement with redirections behind it. They are those of its last command, and so are the words behind
   * them; the grammar takes `a && b > f` for one statement.
   */
  function redirected(node: Node): void {
    const beside = createEffects();
    const words: Word[] = [];
    let body: Node | undefined;
    children(
      node,
      (child) => {
        if (child.type.endsWith('_redirect')) words.push(...redirect(child, beside));
        else if (body === undefined) body = child;
        else parts.hide(`${short(child.text)} is not understood`);
      },
      () => words.push({ text: '-', isGlob: false }),
    );
    const last = body && lastCommand(body);
    if (body && last) {
      attached.set(last.id, { words, beside });
      statement(body);
      return;
    }
    if (words.length > 0) parts.hide('a redirection is not understood');
    if (beside.any()) add({ words: [], ...beside.all() });
    if (body) statement(body);
  }

  /** Notes what it reads or writes; gives the words that do not belong to it. */
  function redirect(node: Node, beside: Effects): Word[] {
    if (node.type === 'heredoc_redirect') return hereDocument(node, beside);
    const words: Word[] = [];
    let operator = '';
    children(node, (child) => {
      if (child.type === 'file_descriptor') return;
      if (child.isNamed) words.push(readWord(child, parts));
      else operator = child.type;
    });
    const [target, ...rest] = words;
    if (node.type === 'herestring_redirect' || target === undefined) return rest;
    const name = target.isGlob ? null : target.text;
    if (/^[<>]&-?$/.test(operator) && name !== null && /^(?:\d+-?|-)$/.test(name)) return rest;
    const reads = operator.startsWith('<') && operator !== '<>';
    if (name !== null && (reads ? FREE_SOURCES : FREE_TARGETS).test(name)) return rest;
    if (reads) beside.add(`reads ${name ?? 'a file that is not known'}`);
    else beside.add(`writes ${name ?? 'to a file that is not known'}`, name);
    return rest;
  }

  function hereDocument(node: Node, beside: Effects): Word[] {
    const words: Word[] = [];
    const start = node.children.find((child) => child?.type === 'heredoc_start')?.text ?? '';
    children(node, (child) => {
      if (!child.isNamed || child.type === 'heredoc_start' || child.type === 'heredoc_end') return;
      if (child.type === 'file_descriptor') return;
      if (child.type.endsWith('_redirect')) words.push(...redirect(child, beside));
      else if (child.type === 'heredoc_body') {
        if (!/['"\\]/.test(start)) hereText(child);
      } else if (STATEMENTS.has(child.type)) statement(child);
      else words.push(readWord(child, parts));
    });
    return words;
  }

  function hereText(body: Node): void {
    let at = body.startIndex;
    const check = (to: number) => {
      if (hasExpansion(source.slice(at, to))) parts.hide('a here-document is not understood');
    };
    for (const child of body.namedChildren) {
      if (!child || child.type === 'heredoc_content') continue;
      check(child.startIndex);
      readWord(child, parts);
      at = child.endIndex;
    }
    check(body.endIndex);
  }

  /** `export A=1 B`, `unset A`. */
  function declaration(node: Node): void {
    const words: Word[] = [];
    const beside = createEffects();
    let hides: string | undefined;
    children(node, (child) => {
      if (child.type === 'variable_assignment') {
        const set = assignment(child);
        beside.add(set.beside);
        hides ??= set.hides;
      } else words.push(child.isNamed ? readWord(child, parts) : { text: child.text, isGlob: false });
    });
    add({ words, ...beside.all(), ...(hides === undefined ? {} : { hides }) });
  }

  function assignments(node: Node): void {
    const each = node.type === 'variable_assignment' ? [node] : node.namedChildren;
    for (const child of each) {
      if (child?.type !== 'variable_assignment') {
        parts.hide('an assignment is not understood');
        continue;
      }
      const { beside, hides } = assignment(child);
      add({ words: [], beside: [beside], ...(hides === undefined ? {} : { hides }) });
    }
  }

  function assignment(node: Node): ReturnType<typeof setting> {
    const name = node.childForFieldName('name');
    if (name?.type === 'subscript') readWord(name, parts);
    let at = name?.endIndex ?? node.startIndex;
    let value: string | null = null;
    for (const child of node.children) {
      if (!child || child.startIndex < at) continue;
      gap(at, child.startIndex, /^$/);
      at = child.endIndex;
      if (child.type === 'array') arrayItems(child);
      else if (child.isNamed) value = readWord(child, parts).text;
    }
    return setting(/^\w+/.exec(name?.text ?? '')?.[0] ?? 'something', value);
  }

  function arrayItems(node: Node): void {
    children(node, (child) => {
      if (!child.isNamed || child.type === 'comment') return;
      if (holdsCommand(readWord(child, parts).text)) parts.hide('a variable holds a command');
    });
  }

  /** `[ … ]` and `[[ … ]]` run nothing by themselves; `[[` evaluates what it compares as numbers. */
  function condition(node: Node, isDouble = node.text.startsWith('[[')): void {
    children(node, (child) => {
      if (CONDITIONS.has(child.type)) condition(child, isDouble);
      else if (child.type === 'regex' || child.type === 'extglob_pattern') pattern(child);
      else if (STATEMENTS.has(child.type)) statement(child);
      else if (child.isNamed && child.type !== 'test_operator') readWord(child, parts);
      const names = /^-[vR]$/.test(child.text);
      const compares = isDouble && !parts.hasOnlyNumbers && /^-(?:eq|ne|lt|le|gt|ge)$/.test(child.text);
      if (names ? !hasOperands(node, /^\w+$/) : compares && !hasOperands(node, /^(?:\d+|"?\$[#?]"?)$/)) {
        parts.hide('a condition may evaluate what its variables hold');
      }
    });
  }

  const hasOperands = (node: Node, form: RegExp) =>
    node.namedChildren.every((child) => child?.type === 'test_operator' || form.test(child?.text ?? ''));

  statement(root);
}
