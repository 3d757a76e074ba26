/** One station with a folder for each row of the table, and what it shows of each. */
import { createHash } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Submission } from '../../../src-shared/submission.ts'
import { type ExportedFile, exportFiles, type ExportOptions } from '../../camera/layouts/layout.ts'
import { startStation, until, type StationProcess } from '../../station-process/start-station.ts'
import type { HostedStart } from '../station-hosts.ts'
import { quickFolder, temporaryFolders } from '../station-fixture.ts'
import { type LayoutRow, LISTED } from './rows.ts'
import { expectedTable, type Shown } from './tables.ts'

export type StagedRow = {
  readonly row: LayoutRow
  /** The watched folder of this row alone. */
  readonly folder: string
  /** SHA-256 of everything that may become an image. */
  readonly hashes: ReadonlySet<string>
}

type StagedStation = Pick<StationProcess, 'value' | 'stop'>

export type Stage = {
  readonly rows: readonly StagedRow[]
  /** The folder of all watched folders. */
  readonly camera: string
  readonly station: StagedStation
  /** What the station shows of a row; at most a quarter of a second old. */
  shown(row: StagedRow): Promise<Shown>
  /** Submissions that hold no image of any row, but for those that were emptied when their images joined another. */
  strays(): Promise<readonly Submission[]>
  /** Waits until the station knows the images among these files that it shall know. */
  known(row: StagedRow, files: readonly ExportedFile[]): Promise<void>
  /** Writes a group of files of a row, and waits until they are known. */
  write(row: StagedRow, files: readonly ExportedFile[], options: ExportOptions): Promise<void>
  close(): Promise<void>
}

/** A snapshot is asked for at most so often, however many rows are waited for. */
const SNAPSHOT_MS = 250
/** Nothing shows that a data file alone was read. */
const DATA_FILE_MS = 1_500
const KNOWN_WITHIN_MS = 90_000

export type Staging = {
  /** Run before the station starts. */
  readonly prepare?: (rows: readonly StagedRow[]) => Promise<void>
  /** What carries the station; the headless one by default. */
  readonly start?: (options: HostedStart) => Promise<StagedStation>
}

export async function setStage(
  layoutRows: readonly LayoutRow[],
  { prepare, start = startStation }: Staging = {},
): Promise<Stage> {
  const { root, camera, dataFolder } = await temporaryFolders()
  const rows = await Promise.all(layoutRows.map((row, index) => stageRow(camera, row, index)))
  const patientList = join(root, 'patients.csv')
  await writeFile(patientList, listOfPatients())
  await prepare?.(rows)
  const station = await start({
    dataFolder,
    parameters: [],
    config: {
      patientList: { path: patientList },
      folders: rows.map(({ folder, row }) => quickFolder(folder, row.folder)),
    },
  })
  const snapshot = snapshotsOf(station)
  const shown = async ({ hashes, folder }: StagedRow): Promise<Shown> => {
    const { items, notes } = await snapshot()
    return {
      submissions: items.filter(({ images }) => images.some(({ sha256 }) => hashes.has(sha256))),
      notes: notes.get(folder) ?? [],
    }
  }
  return {
    rows,
    camera,
    station,
    shown,
    strays: async () => {
      const { items } = await snapshot()
      const isEmptied = ({ state, images }: Submission): boolean =>
        state === 'discarded' && images.length === 0
      return items.filter(
        (item) =>
          !isEmptied(item) &&
          item.images.every(({ sha256 }) => rows.every(({ hashes }) => !hashes.has(sha256))),
      )
    },
    known: (row, files) => untilKnown(row, files, shown),
    write: async (row, files, options) => {
      await exportFiles(row.folder, files, options)
      await untilKnown(row, files, shown)
    },
    close: async () => {
      await station.stop()
      await rm(root, { recursive: true, force: true })
    },
  }
}

/** Files lie there already when the station starts; later groups of a row come when its first ones are known. */
export async function setStageOnFiles(
  layoutRows: readonly LayoutRow[],
  start: NonNullable<Staging['start']>,
): Promise<Stage> {
  const atOnce: ExportOptions = { atOnce: 2 }
  const stage = await setStage(layoutRows, {
    prepare: async (rows) => {
      await Promise.all(rows.map(({ row, folder }) => exportFiles(folder, row.files[0] ?? [], atOnce)))
    },
    start,
  })
  try {
    await Promise.all(
      stage.rows.map(async (staged) => {
        const [first = [], ...later] = staged.row.files
        if (later.length > 0) await stage.known(staged, first)
        for (const files of later) await stage.write(staged, files, atOnce)
      }),
    )
  } catch (error) {
    await stage.close()
    throw error
  }
  return stage
}

async function stageRow(camera: string, row: LayoutRow, index: number): Promise<StagedRow> {
  const folder = join(camera, `row-${index}`)
  await mkdir(folder)
  const files = row.files.flat().flatMap((file) => [file, ...(file.entries ?? [])])
  const hashes = new Set<string>()
  for (const file of files) {
    if (file.kind !== 'image' && file.kind !== 'dicomImage') continue
    hashes.add(
      createHash('sha256')
        .update(await file.bytes())
        .digest('hex'),
    )
  }
  return { row, folder, hashes }
}

function listOfPatients(): string {
  const { number, lastName, birthDate, sex } = LISTED
  return `history_number;last_name;birth_date;gender\nH-00${number};${lastName};${birthDate};${sex}\n`
}

type Snapshot = {
  readonly items: readonly Submission[]
  readonly notes: ReadonlyMap<string, Shown['notes']>
}

function snapshotsOf(station: StagedStation): () => Promise<Snapshot> {
  let taken: { readonly at: number; readonly snapshot: Promise<Snapshot> } | null = null
  const take = async (): Promise<Snapshot> => {
    const { items, total } = await station.value('submissions.list', { limit: 1_000 })
    if (items.length < total) throw new Error('One page no longer holds all submissions of the table.')
    const { folders } = await station.value('station.status')
    return { items, notes: new Map(folders.map(({ path, notes }) => [path, notes])) }
  }
  return () => {
    if (taken === null || performance.now() - taken.at > SNAPSHOT_MS)
      taken = { at: performance.now(), snapshot: take() }
    return taken.snapshot
  }
}

/** Gives up in silence: what is missing shows when the row is compared. */
async function untilKnown(
  staged: StagedRow,
  files: readonly ExportedFile[],
  shown: (row: StagedRow) => Promise<Shown>,
): Promise<void> {
  const written = new Set(files.map(({ relativePath }) => relativePath))
  const images = expectedTable(staged.row, 'late').submissions.flatMap((one) => one.images)
  const expected = images.map(({ fileName }) => fileName).filter((fileName) => written.has(fileName))
  if (expected.length === 0) {
    await sleep(DATA_FILE_MS)
    return
  }
  const areKnown = async (): Promise<boolean> => {
    const { submissions } = await shown(staged)
    const known = new Set(submissions.flatMap((one) => one.images.map(({ fileName }) => fileName)))
    return expected.every((fileName) => known.has(fileName))
  }
  await until('the images of a group are known', areKnown, KNOWN_WITHIN_MS).catch(() => undefined)
}
