/**
 * Which failures each handler can answer with, read from the sources: the domain errors that are made in what a handler
 * calls. `node scripts/openapi/thrown-errors.mjs` writes `src/common/openapi/thrown-errors.json`, from which the
 * document declares its errors; `--check` only compares, and ends with 1 when the file is out of date.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import prettier from 'prettier';

const ROOT = path.resolve(import.meta.dirname, '..', '..');
const WRITTEN = path.join(ROOT, 'src/common/openapi/thrown-errors.json');
const ROUTES = new Set(['Get', 'Post', 'Put', 'Patch', 'Delete', 'Options', 'Head']);

const { config } = ts.readConfigFile(path.join(ROOT, 'tsconfig.build.json'), ts.sys.readFile);
const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
const program = ts.createProgram(
  fileNames.filter((name) => name.includes('/src/')),
  { ...options, noEmit: true, incremental: false, tsBuildInfoFile: undefined },
);
const checker = program.getTypeChecker();
const sources = program.getSourceFiles().filter(({ fileName }) => fileName.startsWith(path.join(ROOT, 'src')));

/** Of a name that is taken out of an object, such as a module that is loaded with its first use: what it names there. */
const namedIn = (symbol) => {
  const taken = symbol?.declarations?.find((one) => ts.isBindingElement(one) && ts.isObjectBindingPattern(one.parent));
  const name = (taken?.propertyName ?? taken?.name)?.getText();
  return (taken && checker.getPropertyOfType(checker.getTypeAtLocation(taken.parent), name)) || symbol;
};
const symbolOf = (node) => {
  const symbol = namedIn(checker.getSymbolAtLocation(node));
  return symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
};
const isFunction = (node) =>
  ts.isMethodDeclaration(node) ||
  ts.isFunctionDeclaration(node) ||
  ts.isGetAccessor(node) ||
  ((ts.isVariableDeclaration(node) || ts.isPropertyDeclaration(node)) &&
    node.initializer !== undefined &&
    (ts.isArrowFunction(node.initializer) || ts.isFunctionExpression(node.initializer)));
const isOurs = (node) => node.getSourceFile().fileName.startsWith(path.join(ROOT, 'src'));

/** Every class by its symbol, with the methods that override those of its bases. */
const overrides = new Map();
const classes = [];
for (const source of sources)
  (function visit(node) {
    if (ts.isClassDeclaration(node)) classes.push(node);
    ts.forEachChild(node, visit);
  })(source);
const basesOf = (node) =>
  (node.heritageClauses ?? [])
    .flatMap(({ types }) => [...types])
    .map(({ expression }) => symbolOf(expression)?.declarations?.find(ts.isClassDeclaration))
    .filter(Boolean);
for (const node of classes)
  for (let bases = basesOf(node); bases.length > 0; bases = bases.flatMap(basesOf))
    for (const member of node.members.filter((m) => isFunction(m) && m.name))
      for (const base of bases) {
        const over = base.members.find((m) => m.name?.getText() === member.name.getText());
        if (over) overrides.set(over, [...(overrides.get(over) ?? []), member]);
      }

const textOf = (node) => (node && ts.isStringLiteralLike(node) ? node.text : undefined);
const propertyOf = (node, name) => {
  const property = node.members.find((m) => ts.isPropertyDeclaration(m) && m.name.getText() === name);
  return textOf(
    property?.initializer?.kind === ts.SyntaxKind.AsExpression
      ? property.initializer.expression
      : property?.initializer,
  );
};

/** Kind and detail of an error class, by how it is declared; a detail that is given to the constructor is absent. */
function failureOf(node) {
  const [base] = (node.heritageClauses ?? []).flatMap(({ types }) => [...types]).map(({ expression }) => expression);
  if (!base) return null;
  if (ts.isCallExpression(base)) {
    const made = base.expression.getText();
    const [first, second] = base.arguments.map(textOf);
    if (made === 'invalid') return { kind: 'invalid', detail: first };
    if (made === 'notFound') return { kind: 'not-found', detail: first };
    return made === 'failure' ? { kind: first, detail: second } : null;
  }
  const parent = symbolOf(base)?.declarations?.find(ts.isClassDeclaration);
  if (!parent) return null;
  if (parent.name?.text === 'DomainError') {
    const kind = propertyOf(node, 'kind');
    return kind ? { kind, detail: propertyOf(node, 'detail') } : null;
  }
  const inherited = failureOf(parent);
  return inherited && { ...inherited, detail: propertyOf(node, 'detail') ?? inherited.detail };
}

const meaningOf = (node) =>
  ts
    .getJSDocCommentsAndTags(node)
    .filter(ts.isJSDoc)
    .map(({ comment }) => ts.getTextOfJSDocComment(comment) ?? '')
    .join(' ')
    .replace(/\s+/g, ' ')
    .replace(/ ?Contract: .*$/, '')
    .trim();

const failures = new Map(classes.map((node) => [node, failureOf(node)]).filter(([, failure]) => failure));

/** What a constructor makes its detail of: `Crawl not found: {itemId}`. */
function composedDetails(node) {
  const found = [];
  (function visit(part) {
    if (ts.isBinaryExpression(part) && part.left.getText() === 'this.detail') {
      const sides = ts.isConditionalExpression(part.right) ? [part.right.whenTrue, part.right.whenFalse] : [part.right];
      for (const side of sides) {
        if (ts.isTemplateExpression(side))
          found.push(
            side.head.text + side.templateSpans.map((s) => `{${s.expression.getText()}}${s.literal.text}`).join(''),
          );
        else if (textOf(side) !== undefined) found.push(textOf(side));
      }
    }
    ts.forEachChild(part, visit);
  })(node);
  return found;
}

/** Details that are handed to a constructor: the literals among its arguments, and what the class itself lists. */
function detailsOf(made, node) {
  const failure = failures.get(node);
  if (failure.detail !== undefined) return [failure.detail];
  const composed = composedDetails(node);
  if (composed.length > 0) return composed;
  const literals = (made.arguments ?? []).flatMap((argument) => {
    const type = checker.getTypeAtLocation(argument);
    const types = type.isUnion() ? type.types : [type];
    return types.flatMap((one) => (one.isStringLiteral() ? [one.value] : []));
  });
  return literals;
}

/** Whether what is thrown inside is answered otherwise: the block's `catch` throws nothing. */
function isCaught(node) {
  for (let at = node; at.parent && !ts.isSourceFile(at.parent); at = at.parent) {
    if (ts.isTryStatement(at.parent) && at.parent.tryBlock === at && at.parent.catchClause)
      if (!/\bthrow\b/.test(at.parent.catchClause.block.getText())) return true;
    if (isFunction(at.parent)) return false;
  }
  return false;
}

const looked = new Map();
function lookInto(declaration) {
  const known = looked.get(declaration);
  if (known) return known;
  const found = { thrown: [], calls: new Set() };
  looked.set(declaration, found);
  (function visit(node) {
    if (ts.isDecorator(node) || ts.isTypeNode(node)) return;
    if (ts.isNewExpression(node)) {
      const made = symbolOf(node.expression)?.declarations?.find(ts.isClassDeclaration);
      if (made && failures.has(made) && !isCaught(node)) found.thrown.push([made, detailsOf(node, made)]);
    }
    if (ts.isIdentifier(node) && node.parent !== declaration && !isCaught(node))
      for (const target of symbolOf(node)?.declarations ?? [])
        if (isFunction(target) && isOurs(target)) {
          found.calls.add(target);
          for (const over of overrides.get(target) ?? []) found.calls.add(over);
        }
    ts.forEachChild(node, visit);
  })(declaration.initializer ?? declaration.body ?? declaration);
  return found;
}

function thrownBy(roots) {
  const reached = new Set(roots);
  const thrown = new Map();
  for (const declaration of reached) {
    const { thrown: own, calls } = lookInto(declaration);
    for (const [node, details] of own)
      for (const detail of details) thrown.set(`${node.name.text} ${detail}`, { node, detail });
    for (const call of calls) reached.add(call);
  }
  return [...thrown.values()];
}

const decoratorsOf = (node) => ts.getDecorators(node) ?? [];
const nameOf = (decorator) => decorator.expression.expression?.getText() ?? '';
/** Guards and parameter decorators run before the handler. */
const beforehand = (node) =>
  [...decoratorsOf(node), ...(node.parameters ?? []).flatMap(decoratorsOf)].flatMap((decorator) => {
    const found = [];
    (function visit(part) {
      if (ts.isIdentifier(part))
        for (const target of symbolOf(part)?.declarations ?? [])
          if (isOurs(target)) {
            if (ts.isClassDeclaration(target) && nameOf(decorator) === 'UseGuards')
              found.push(...target.members.filter((m) => m.name?.getText() === 'canActivate'));
            if (ts.isVariableDeclaration(target) && /createParamDecorator/.test(target.initializer?.getText() ?? ''))
              found.push(target);
          }
      ts.forEachChild(part, visit);
    })(decorator.expression);
    return found;
  });

const handlers = {};
const errors = {};
for (const node of classes.filter((one) => decoratorsOf(one).some((d) => nameOf(d) === 'Controller'))) {
  const family = [node];
  for (let at = basesOf(node)[0]; at; at = basesOf(at)[0]) family.push(at);
  const seen = new Set();
  for (const owner of family)
    for (const member of owner.members.filter(ts.isMethodDeclaration)) {
      const name = member.name.getText();
      if (seen.has(name) || !decoratorsOf(member).some((d) => ROUTES.has(nameOf(d)))) continue;
      seen.add(name);
      const found = thrownBy([member, ...beforehand(member), ...beforehand(node)]);
      const keys = found.map(({ node: made, detail }) => {
        const { kind } = failures.get(made);
        const key = failures.get(made).detail === undefined ? `${made.name.text} ${detail}` : made.name.text;
        errors[key] = { kind, detail, meaning: meaningOf(made) };
        return key;
      });
      if (keys.length > 0) handlers[`${node.name.text}.${name}`] = [...new Set(keys)].sort();
    }
}

const sorted = (record) => Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
const options_ = { ...(await prettier.resolveConfig(WRITTEN)), parser: 'json' };
const text = await prettier.format(JSON.stringify({ errors: sorted(errors), handlers: sorted(handlers) }), options_);
if (!process.argv.includes('--check')) writeFileSync(WRITTEN, text);
else if (readFileSync(WRITTEN, 'utf8') !== text) {
  process.stderr.write('thrown-errors.json is out of date: node scripts/openapi/thrown-errors.mjs\n');
  process.exit(1);
}
