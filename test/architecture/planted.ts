/**
 * What nobody may write, each with the tool and the rule that must refuse it.
 *
 * `code` is the whole content of `file`, a file that is not there in the skeleton.
 */
export type Refusal =
  /** The compiler: the number of its error. */
  | { readonly by: 'tsc'; readonly rule: `TS${number}` }
  | { readonly by: 'oxlint'; readonly rule: string }
  | { readonly by: 'depcruise'; readonly rule: string }

export type Planted = {
  readonly what: string
  readonly file: string
  readonly code: string
  readonly refusedBy: readonly Refusal[]
}

const tsc = (rule: `TS${number}`): Refusal => ({ by: 'tsc', rule })
const oxlint = (rule: string): Refusal => ({ by: 'oxlint', rule })
const depcruise = (rule: string): Refusal => ({ by: 'depcruise', rule })

const RESTRICTED = oxlint('eslint(no-restricted-imports)')
/** A file outside of the project and its references. */
const OUTSIDE = tsc('TS6307')
const NO_NODE_TYPES = tsc('TS2591')
const NO_DOM_TYPES = tsc('TS2584')

/** An import as a value, of a thing of that name. */
function imports(name: string, from: string): string {
  return `import { ${name} } from '${from}'\nexport const planted: unknown = ${name}\n`
}

export const plantedImports: readonly Planted[] = [
  {
    what: 'src-shared imports node:fs',
    file: 'src-shared/planted-node.ts',
    code: imports('readFileSync', 'node:fs'),
    refusedBy: [NO_NODE_TYPES, RESTRICTED, depcruise('shared-knows-nobody')],
  },
  {
    what: 'src-shared imports the station',
    file: 'src-shared/planted-station.ts',
    code: imports('openStation', '../src-main/station/station.ts'),
    refusedBy: [OUTSIDE, RESTRICTED, depcruise('shared-knows-nobody')],
  },
  {
    what: 'the station imports the Electron host',
    file: 'src-main/station/planted-host.ts',
    code: imports('electronHost', '../electron/host.ts'),
    refusedBy: [OUTSIDE, RESTRICTED, depcruise('station-knows-no-host')],
  },
  {
    what: 'the station imports electron',
    file: 'src-main/station/planted-electron.ts',
    code: imports('app', 'electron'),
    refusedBy: [RESTRICTED, depcruise('station-knows-no-host'), depcruise('one-host-one-electron')],
  },
  {
    what: 'the station imports the screens',
    file: 'src-main/station/planted-screen.ts',
    code: imports('screen', '../../src-renderer/screen.ts'),
    refusedBy: [OUTSIDE, RESTRICTED, depcruise('station-knows-no-host'), depcruise('hosts-know-no-screens')],
  },
  {
    what: 'a part of the station imports a value of its neighbour',
    file: 'src-main/station/intake/planted-neighbour.ts',
    code: imports('watchFolder', '../watch/watch-folder.ts'),
    refusedBy: [depcruise('parts-know-one-another-by-type')],
  },
  {
    what: 'the headless host imports the Electron host',
    file: 'src-main/headless/planted-host.ts',
    code: imports('electronHost', '../electron/host.ts'),
    refusedBy: [OUTSIDE, RESTRICTED, depcruise('hosts-do-not-mix')],
  },
  {
    what: 'the headless host imports electron',
    file: 'src-main/headless/planted-electron.ts',
    code: imports('app', 'electron'),
    refusedBy: [RESTRICTED, depcruise('one-host-one-electron')],
  },
  {
    what: 'the Electron host imports the headless host',
    file: 'src-main/electron/planted-host.ts',
    code: imports('headlessHost', '../headless/host.ts'),
    refusedBy: [OUTSIDE, RESTRICTED, depcruise('hosts-do-not-mix')],
  },
  {
    what: 'the Electron host imports the screens',
    file: 'src-main/electron/planted-screen.ts',
    code: imports('screen', '../../src-renderer/screen.ts'),
    refusedBy: [OUTSIDE, RESTRICTED, depcruise('hosts-know-no-screens')],
  },
  {
    what: 'the preload imports the main process',
    file: 'src-main/electron/preload/planted-host.ts',
    code: imports('electronHost', '../host.ts'),
    refusedBy: [OUTSIDE, RESTRICTED, depcruise('preload-is-a-thin-bridge')],
  },
  {
    what: 'the preload imports a Node module',
    file: 'src-main/electron/preload/planted-node.ts',
    code: imports('readFileSync', 'node:fs'),
    refusedBy: [RESTRICTED, depcruise('preload-is-a-thin-bridge')],
  },
  {
    what: 'the preload bundles a value of src-shared',
    file: 'src-main/electron/preload/planted-value.ts',
    code: imports('shared', '../../../src-shared/shared.ts'),
    refusedBy: [RESTRICTED, depcruise('preload-is-a-thin-bridge')],
  },
  {
    what: 'the screens import node:fs',
    file: 'src-renderer/planted-node.ts',
    code: imports('readFileSync', 'node:fs'),
    refusedBy: [NO_NODE_TYPES, RESTRICTED, depcruise('renderer-knows-no-node')],
  },
  {
    what: 'the screens import the station',
    file: 'src-renderer/planted-station.ts',
    code: imports('openStation', '../src-main/station/station.ts'),
    refusedBy: [OUTSIDE, RESTRICTED, depcruise('renderer-knows-the-contract-only')],
  },
  {
    what: 'the product imports a test',
    file: 'src-main/headless/planted-test.ts',
    code: imports('fixture', '../../test/fixture.ts'),
    refusedBy: [OUTSIDE, RESTRICTED, depcruise('product-knows-no-test')],
  },
  {
    what: 'two files import one another',
    file: 'src-main/station/watch/planted-cycle-one.ts',
    code: `import type { Turn } from './planted-cycle-two.ts'\nexport type Round = { readonly turn: Turn | null }\n`,
    refusedBy: [depcruise('no-cycle')],
  },
  {
    what: 'an import leads nowhere',
    file: 'test/planted-nowhere.ts',
    code: imports('nothing', './there-is-no-such-file.ts'),
    refusedBy: [tsc('TS2307'), depcruise('nothing-unresolved')],
  },
]

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
    code: Array.from({ length: 301 }, (_, line) => `export const planted${line} = ${line}\n`).join(''),
    refusedBy: [oxlint('eslint(max-lines)')],
  },
]

/** Apart from the others: this import brings Node's types into all screens, and what is planted there would compile. */
export const plantedApart: readonly Planted[] = [
  {
    what: 'the screens import electron',
    file: 'src-renderer/planted-electron.tsx',
    code: imports('ipcRenderer', 'electron'),
    refusedBy: [
      RESTRICTED,
      depcruise('renderer-knows-the-contract-only'),
      depcruise('one-host-one-electron'),
    ],
  },
]

/** The other halves of the cycles. */
export const plantedBeside: readonly Pick<Planted, 'file' | 'code'>[] = [
  {
    file: 'src-main/station/watch/planted-cycle-two.ts',
    code: `import type { Round } from './planted-cycle-one.ts'\nexport type Turn = { readonly round: Round | null }\n`,
  },
  {
    file: 'src-main/station/watch/planted-round-two.ts',
    code: "import { one } from './planted-round-one.ts'\nexport const two = (): unknown => one\n",
  },
]
