import { parse, type ClassExpression, type Program } from 'acorn';

/** The text is no behavior. The error quotes nothing of the text, which may come from anywhere. */
export class NoBehavior extends Error {
  constructor() {
    super('this is no behavior: it has to be one JavaScript class with a static id and a static isMatch');
  }
}

/** Static members that the library requires of a class (browsertrix-behaviors, `BehaviorManager.load`). */
const NEEDED = ['id', 'isMatch'];

/**
 * Extracts the class from a custom behavior's file, without comments, `export` and semicolons around it. Nothing of the
 * file is run. @throws NoBehavior
 */
export function behaviorClass(code: string): string {
  // The brackets make a class without a name an expression.
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
