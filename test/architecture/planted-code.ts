/** Code that does not belong into its folder, or anywhere. */
import { NO_DOM_TYPES, NO_NODE_TYPES, oxlint, type Planted, tsc } from './planted.ts'

export const plantedCode: readonly Planted[] = [
  {
    what: 'document in src-shared',
    file: 'src-shared/planted-document.ts',
    code: 'export const planted = document.title\n',
    refusedBy: [NO_DOM_TYPES],
  },
  {
    what: 'process in src-shared',
    file: 'src-shared/planted-process.ts',
    code: 'export const planted = process.pid\n',
    refusedBy: [NO_NODE_TYPES],
  },
  {
    what: 'document in the station',
    file: 'src-main/station/planted-document.ts',
    code: 'export const planted = document.title\n',
    refusedBy: [NO_DOM_TYPES],
  },
  {
    what: 'process in the screens',
    file: 'src-renderer/planted-process.ts',
    code: 'export const planted = process.pid\n',
    refusedBy: [NO_NODE_TYPES],
  },
  {
    what: 'an enum, which Node cannot run',
    file: 'src-main/station/planted-enum.ts',
    code: 'export enum Planted {\n  one,\n}\n',
    refusedBy: [tsc('TS1294')],
  },
  {
    what: 'an element of an array taken for granted',
    file: 'src-shared/planted-index.ts',
    code: 'export const planted = (all: readonly string[]): string => all[0]\n',
    refusedBy: [tsc('TS2322')],
  },
  {
    what: 'undefined in an optional property',
    file: 'src-shared/planted-optional.ts',
    code: 'export const planted: { readonly a?: string } = { a: undefined }\n',
    refusedBy: [tsc('TS2375')],
  },
  // One in every runtime: the lists of overrides replace one another, and a slip there would free a folder.
  ...(
    [
      'src-shared',
      'src-main/station',
      'src-main/headless',
      'src-main/electron',
      'src-renderer',
      'test',
    ] as const
  ).map((folder) => ({
    what: `a promise that nobody waits for, in ${folder}`,
    file: `${folder}/planted-promise.ts`,
    code: 'const later = async (): Promise<number> => 1\nexport function planted(): void {\n  later()\n}\n',
    refusedBy: [oxlint('typescript(no-floating-promises)')],
  })),
  {
    what: 'a promise where a condition is meant',
    file: 'src-main/station/planted-condition.ts',
    code: 'const later = async (): Promise<boolean> => true\nexport const planted = (): number => {\n  if (later()) return 1\n  return 0\n}\n',
    refusedBy: [oxlint('typescript(no-misused-promises)')],
  },
  {
    what: 'a switch that forgets a kind',
    file: 'src-main/station/planted-switch.ts',
    code: "export function planted(kind: 'one' | 'two'): void {\n  switch (kind) {\n    case 'one':\n      break\n  }\n}\n",
    refusedBy: [oxlint('typescript(switch-exhaustiveness-check)')],
  },
  {
    what: 'any',
    file: 'src-main/station/planted-any.ts',
    code: 'export const planted = (value: any): unknown => value\n',
    refusedBy: [oxlint('typescript(no-explicit-any)')],
  },
  {
    what: 'a non-null assertion in the product',
    file: 'src-main/station/planted-assertion.ts',
    code: 'export const planted = (all: readonly string[]): string => all[0]!\n',
    refusedBy: [oxlint('typescript(no-non-null-assertion)')],
  },
  {
    what: 'something thrown that is no error',
    file: 'src-main/station/planted-throw.ts',
    code: "export function planted(): never {\n  throw 'a word'\n}\n",
    refusedBy: [oxlint('typescript(only-throw-error)')],
  },
  {
    what: 'a type imported as a value',
    file: 'src-main/station/planted-type.ts',
    code: "import { Shared } from '../../src-shared/shared.ts'\nexport type Planted = Shared\n",
    refusedBy: [tsc('TS1484'), oxlint('typescript(consistent-type-imports)')],
  },
  {
    what: 'two files that need one another to start',
    file: 'src-main/station/watch/planted-round-one.ts',
    code: "import { two } from './planted-round-two.ts'\nexport const one = (): unknown => two\n",
    refusedBy: [oxlint('import(no-cycle)')],
  },
  {
    what: 'var',
    file: 'src-main/station/planted-var.ts',
    code: 'export var planted = 1\n',
    refusedBy: [oxlint('eslint(no-var)')],
  },
  {
    what: 'let where nothing changes',
    file: 'src-main/station/planted-let.ts',
    code: 'export function planted(): number {\n  let one = 1\n  return one\n}\n',
    refusedBy: [oxlint('eslint(prefer-const)')],
  },
  {
    what: 'an equality that converts',
    file: 'src-main/station/planted-equality.ts',
    code: 'export const planted = (value: unknown): boolean => value == 1\n',
    refusedBy: [oxlint('eslint(eqeqeq)')],
  },
  {
    what: 'a parameter without a type',
    file: 'src-main/station/planted-parameter.ts',
    code: 'export const planted = (value) => 1\n',
    refusedBy: [tsc('TS7006')],
  },
  {
    what: 'a default export',
    file: 'src-main/station/planted-default.ts',
    code: 'export default 1\n',
    refusedBy: [oxlint('import(no-default-export)')],
  },
  {
    what: 'a file name that is not kebab-case',
    file: 'src-main/station/plantedName.ts',
    code: 'export const planted = 1\n',
    refusedBy: [oxlint('unicorn(filename-case)')],
  },
  {
    what: 'a word to the console in the product',
    file: 'src-main/station/planted-console.ts',
    code: "export const planted = (): void => console.log('a word')\n",
    refusedBy: [oxlint('eslint(no-console)')],
  },
  {
    what: 'a file that is too long',
    file: 'src-main/station/planted-length.ts',
    code: Array.from({ length: 401 }, (_, line) => `export const planted${line} = ${line}\n`).join(''),
    refusedBy: [oxlint('eslint(max-lines)')],
  },
]
