/** Imports that cross a boundary of the house. */
import { depcruise, NO_NODE_TYPES, OUTSIDE, type Planted, RESTRICTED, tsc } from './planted.ts'

/** An import as a value, of a thing of that name. */
function imports(name: string, from: string): string {
  return `import { ${name} } from '${from}'\nexport const planted: unknown = ${name}\n`
}

export const plantedImports: readonly Planted[] = [
  {
    what: 'a spec imports fast-check itself',
    file: 'test/planted-property.ts',
    code: imports('assert', 'fast-check'),
    refusedBy: [depcruise('properties-from-one-place')],
  },
  {
    what: 'a spec imports the entry of a host',
    file: 'test/planted-entry.ts',
    code: "import '../src-main/headless/main.ts'\n",
    refusedBy: [depcruise('entries-act-on-import')],
  },
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
    what: 'lib imports something of the station',
    file: 'src-main/station/lib/planted-root.ts',
    code: imports('openStation', '../station.ts'),
    refusedBy: [depcruise('lib-knows-no-part')],
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
