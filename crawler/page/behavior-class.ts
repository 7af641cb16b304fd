import { parse, type ClassExpression, type Program } from 'acorn';

/** A text is no behavior. Says nothing of what is in it: it may come from anywhere. */
export class NoBehavior extends Error {
  constructor() {
    super('this is no behavior: it has to be one JavaScript class with a static id and a static isMatch');
  }
}

/** What a class needs for the library to take it (browsertrix-behaviors, `BehaviorManager.load`). */
const NEEDED = ['id', 'isMatch'];

/**
 * The class of a custom behavior's file, without what may stand around it: comments, `export` and semicolons.
 * Nothing of the file is run. @throws NoBehavior
 */
export function behaviorClass(code: string): string {
  // The brackets make an expression of a class without a name.
  for (const text of [code, `(${code.replace(/[;\s]+$/, '')}\n)`]) {
    const found = onlyClass(program(text));
    if (found && (found.superClass || NEEDED.every((name) => hasStatic(found, name))))
      return text.slice(found.start, found.end);
  }
  throw new NoBehavior();
}

function program(code: string): Program | null {
  try {
    return parse(code, { ecmaVersion: 'latest', sourceType: 'module' });
  } catch {
    return null;
  }
}

type AnyClass = Pick<ClassExpression, 'body' | 'superClass' | 'start' | 'end'>;

function onlyClass(parsed: Program | null): AnyClass | null {
  const [first, ...more] = parsed?.body.filter(({ type }) => type !== 'EmptyStatement') ?? [];
  if (!first || more.length > 0) return null;
  switch (first.type) {
    case 'ClassDeclaration':
      return first;
    case 'ExpressionStatement':
      return first.expression.type === 'ClassExpression' ? first.expression : null;
    case 'ExportDefaultDeclaration':
      return first.declaration.type === 'ClassDeclaration' ? first.declaration : null;
    case 'ExportNamedDeclaration':
      return first.declaration?.type === 'ClassDeclaration' ? first.declaration : null;
    default:
      return null;
  }
}

const hasStatic = ({ body }: AnyClass, name: string): boolean =>
  body.body.some(
    (member) =>
      (member.type === 'MethodDefinition' || member.type === 'PropertyDefinition') &&
      member.static &&
      !member.computed &&
      member.key.type === 'Identifier' &&
      member.key.name === name,
  );
