/**
 * What must not be written, each with the tools and rules that must refuse it.
 *
 * A file begins with its path in a comment. The skeleton has no file of a planted path.
 */
export type Refusal = { readonly by: string; readonly rule: string }

export type PlantedFile = {
  readonly file: string
  readonly code: string
  readonly refusedBy: readonly Refusal[]
}

/** Splits a text into its files: `// path: tool rule, tool rule` and the code below. */
function filesIn(text: string): PlantedFile[] {
  return text
    .split(/^\/\/ /m)
    .slice(1)
    .map((part) => {
      const [, file = '', rules = '', code = ''] = /^(\S+?)(?:: ([^\n]*))?\n(.*)$/s.exec(part) ?? []
      const refusedBy = rules.split(', ').flatMap((refusal) => {
        const [by, rule] = refusal.split(' ')
        return by && rule ? [{ by, rule }] : []
      })
      return { file, code, refusedBy }
    })
}

/** One harmless file in each folder. Together they use every kind of import that is allowed. */
export const HARMLESS = filesIn(`
// src-shared/shared.ts
import { z } from 'zod'
export const shared = z.string()
export type Shared = z.infer<typeof shared>
// src-main/station/station.ts
import { casesOf } from './cases/cases.ts'
import { noticeOf } from './notices/notices.ts'
export const openStation = (path: string): string => casesOf(noticeOf(path))
// src-main/station/notices/notices.ts
import { basename } from 'node:path'
export type Notice = { readonly name: string }
export const noticeOf = (path: string): Notice => ({ name: basename(path) })
// src-main/reader/messages.ts
export type Watched = { readonly folder: string }
// src-main/reader/folder/watch-folder.ts
import { trimmed } from '../../station/lib/names.ts'
import type { Watched } from '../messages.ts'
export const watchFolder = (folder: string): Watched => ({ folder: trimmed(folder) })
// src-main/station/readers/watcher.ts
import { watchFolder } from '../../reader/folder/watch-folder.ts'
import { dayIn } from '../cases/meaning/dates.ts'
export const watchedDay = (folder: string): string => dayIn(watchFolder(folder))
// src-main/station/cases/meaning/dates.ts
import type { Watched } from '../../../reader/messages.ts'
export const dayIn = ({ folder }: Watched): string => folder
// src-main/station/lib/names.ts
export const trimmed = (name: string): string => name.trim()
// src-main/station/cases/cases.ts
import { trimmed } from '../lib/names.ts'
import type { Notice } from '../notices/notices.ts'
export const casesOf = (notice: Notice): string => trimmed(notice.name)
// src-main/headless/main.ts
import { headlessHost } from './host.ts'

void headlessHost
// src-main/headless/host.ts
import { openStation } from '../station/station.ts'
export const headlessHost = openStation
// src-main/electron/host.ts
import { app } from 'electron'
import { openStation } from '../station/station.ts'
export const electronHost = (): string => openStation(app.getName())
// src-main/electron/preload/preload.ts
import { contextBridge } from 'electron'
import type { Shared } from '../../../src-shared/shared.ts'
const name: Shared = 'courier'
contextBridge.exposeInMainWorld(name, {})
// src-renderer/screen.ts
import { shared } from '../src-shared/shared.ts'
export const screen = (): string => shared.parse(document.title)
// tools/tool.ts
import { join } from 'node:path'
export const tool = join('a', 'b')
// test/fixture.ts
import { openStation } from '../src-main/station/station.ts'
export const fixture = openStation
`)

const IMPORTS = filesIn(`
// test/planted-property.ts: depcruise properties-from-one-place
import { assert } from 'fast-check'
export const planted: unknown = assert
// test/planted-entry.ts: depcruise entries-act-on-import
import '../src-main/headless/main.ts'
// src-shared/planted-node.ts: tsc TS2591, oxlint eslint(no-restricted-imports), depcruise shared-imports-no-part
import { readFileSync } from 'node:fs'
export const planted: unknown = readFileSync
// src-shared/planted-station.ts: tsc TS6307, oxlint eslint(no-restricted-imports), depcruise shared-imports-no-part
import { openStation } from '../src-main/station/station.ts'
export const planted: unknown = openStation
// src-main/station/planted-host.ts: tsc TS6307, oxlint eslint(no-restricted-imports), depcruise station-knows-no-host
import { electronHost } from '../electron/host.ts'
export const planted: unknown = electronHost
// src-main/station/planted-electron.ts: oxlint eslint(no-restricted-imports), depcruise station-knows-no-host, depcruise one-host-one-electron
import { app } from 'electron'
export const planted: unknown = app
// src-main/station/planted-screen.ts: tsc TS6307, oxlint eslint(no-restricted-imports), depcruise station-knows-no-host, depcruise hosts-know-no-screens
import { screen } from '../../src-renderer/screen.ts'
export const planted: unknown = screen
// src-main/station/cases/planted-neighbour.ts: depcruise parts-know-one-another-by-type
import { noticeOf } from '../notices/notices.ts'
export const planted: unknown = noticeOf
// src-main/station/notices/planted-cases.ts: depcruise parts-know-one-another-by-type
import { casesOf } from '../cases/cases.ts'
export const planted: unknown = casesOf
// src-main/station/readers/planted-case.ts: depcruise readers-know-meaning-and-no-case
import { casesOf } from '../cases/cases.ts'
export const planted: unknown = casesOf
// src-main/station/cases/planted-inside.ts: depcruise one-door-to-the-reader
import { watchFolder } from '../../reader/folder/watch-folder.ts'
export const planted: unknown = watchFolder
// src-main/station/planted-inside-type.ts: depcruise one-door-to-the-reader
import type { watchFolder } from '../reader/folder/watch-folder.ts'
export type Planted = typeof watchFolder
// src-main/headless/planted-reader.ts: depcruise one-door-to-the-reader
import { watchFolder } from '../reader/folder/watch-folder.ts'
export const planted: unknown = watchFolder
// src-main/reader/planted-meaning.ts: tsc TS6307, depcruise the-reader-knows-syntax-alone
import { dayIn } from '../station/cases/meaning/dates.ts'
export const planted: unknown = dayIn
// src-main/reader/planted-database.ts: depcruise the-reader-knows-syntax-alone
import database from 'better-sqlite3'
export const planted: unknown = database
// src-main/station/lib/planted-root.ts: tsc TS6307, depcruise lib-knows-no-part
import { openStation } from '../station.ts'
export const planted: unknown = openStation
// src-main/headless/planted-host.ts: tsc TS6307, oxlint eslint(no-restricted-imports), depcruise hosts-do-not-mix
import { electronHost } from '../electron/host.ts'
export const planted: unknown = electronHost
// src-main/headless/planted-electron.ts: oxlint eslint(no-restricted-imports), depcruise one-host-one-electron
import { app } from 'electron'
export const planted: unknown = app
// src-main/electron/planted-host.ts: tsc TS6307, oxlint eslint(no-restricted-imports), depcruise hosts-do-not-mix
import { headlessHost } from '../headless/host.ts'
export const planted: unknown = headlessHost
// src-main/electron/planted-screen.ts: tsc TS6307, oxlint eslint(no-restricted-imports), depcruise hosts-know-no-screens
import { screen } from '../../src-renderer/screen.ts'
export const planted: unknown = screen
// src-main/electron/preload/planted-host.ts: tsc TS6307, oxlint eslint(no-restricted-imports), depcruise preload-is-a-thin-bridge
import { electronHost } from '../host.ts'
export const planted: unknown = electronHost
// src-main/electron/preload/planted-node.ts: oxlint eslint(no-restricted-imports), depcruise preload-is-a-thin-bridge
import { readFileSync } from 'node:fs'
export const planted: unknown = readFileSync
// src-main/electron/preload/planted-value.ts: oxlint eslint(no-restricted-imports), depcruise preload-is-a-thin-bridge
import { shared } from '../../../src-shared/shared.ts'
export const planted: unknown = shared
// src-renderer/planted-node.ts: tsc TS2591, oxlint eslint(no-restricted-imports), depcruise renderer-knows-no-node
import { readFileSync } from 'node:fs'
export const planted: unknown = readFileSync
// src-renderer/planted-station.ts: tsc TS6307, oxlint eslint(no-restricted-imports), depcruise renderer-knows-the-contract-only
import { openStation } from '../src-main/station/station.ts'
export const planted: unknown = openStation
// src-main/headless/planted-test.ts: tsc TS6307, oxlint eslint(no-restricted-imports), depcruise product-knows-no-test
import { fixture } from '../../test/fixture.ts'
export const planted: unknown = fixture
// src-main/station/notices/planted-cycle-one.ts: depcruise no-cycle
import type { Turn } from './planted-cycle-two.ts'
export type Round = { readonly turn: Turn | null }
// test/planted-nowhere.ts: tsc TS2307, depcruise nothing-unresolved
import { nothing } from './there-is-no-such-file.ts'
export const planted: unknown = nothing
// src-main/station/notices/planted-cycle-two.ts
import type { Round } from './planted-cycle-one.ts'
export type Turn = { readonly round: Round | null }
`)

/** Code that does not belong into its folder, or anywhere. */
const CODE = filesIn(`
// src-main/station/planted-condition.ts: oxlint typescript(no-misused-promises)
const later = async (): Promise<boolean> => true
export const planted = (): number => {
  if (later()) return 1
  return 0
}
// src-main/station/planted-switch.ts: oxlint typescript(switch-exhaustiveness-check)
export function planted(kind: 'one' | 'two'): void {
  switch (kind) {
    case 'one':
      break
  }
}
// src-main/station/planted-any.ts: oxlint typescript(no-explicit-any)
export const planted = (value: any): unknown => value
// src-main/station/planted-default.ts: oxlint import(no-default-export)
export default 1
// src-main/station/planted-console.ts: oxlint eslint(no-console)
export const planted = (): void => console.log('a word')
`)

/** One in every runtime: the lists of overrides replace one another, and a slip there would exempt a folder. */
const PROMISES = filesIn(
  ['src-shared', 'src-main/station', 'src-main/headless', 'src-main/electron', 'src-renderer', 'test']
    .map(
      (folder) => `
// ${folder}/planted-promise.ts: oxlint typescript(no-floating-promises)
const later = async (): Promise<number> => 1
export function planted(): void {
  later()
}
`,
    )
    .join(''),
)

const TOO_LONG: PlantedFile = {
  file: 'src-main/station/planted-length.ts',
  code: Array.from({ length: 401 }, (_, line) => `export const planted${line} = ${line}\n`).join(''),
  refusedBy: [{ by: 'oxlint', rule: 'eslint(max-lines)' }],
}

export const PLANTED = [...IMPORTS, ...CODE, ...PROMISES, TOO_LONG]

/** In a skeleton of its own: this import gives Node's types to all screens, and what else is planted would compile. */
export const PLANTED_ALONE = filesIn(`
// src-renderer/planted-electron.tsx: oxlint eslint(no-restricted-imports), depcruise renderer-knows-the-contract-only, depcruise one-host-one-electron
import { ipcRenderer } from 'electron'
export const planted: unknown = ipcRenderer
`)
