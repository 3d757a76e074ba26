/**
 * At the beginning and end of a session: is this the outbox that was used last, or an older copy of it? What follows
 * from that is done by `restored.ts`, once per start, with the rows of `restored-store.ts`.
 *
 * At every opening and closing a new generation is written into the outbox and then into the marker beside it. A copy
 * that is put in place later bears an earlier one. Where a kill comes between the two writes, the marker still bears the
 * one before, which the outbox knows, also where that happens several times in a row. A copy from within the latest
 * session looks alike: after a session that was not closed the outbox is compared with the manifests (`restored.ts`).
 */
import { randomUUID } from 'node:crypto'
import { readFact, writeFact, type FactName } from './fact-store.ts'
import type { StationMarker } from './station-marker.ts'
import type { RestoreReason } from './restored-store.ts'
import type { WriteThrough } from './write-through.ts'

export type Generations = {
  /** Stands in our backups only. */
  readonly backupOf: string | null
  readonly generation: string | null
  readonly previousGeneration: string | null
  readonly hasSubmissions: boolean
}

/** Why this is not the outbox that was used last, or null. `marked` is undefined where there is no marker. */
export function detectRestore(outbox: Generations, marked: string | null | undefined): RestoreReason | null {
  if (outbox.backupOf !== null) return 'backup'
  if (marked === undefined) return isOfFirstStart(outbox) ? null : 'otherCopy'
  return marked === outbox.generation || marked === outbox.previousGeneration ? null : 'otherCopy'
}

/**
 * A new station has neither outbox nor marker, and one whose first starts were cut off has an outbox that nobody has
 * worked with. One that was used and lost its marker may be any copy.
 */
function isOfFirstStart({ generation, previousGeneration, hasSubmissions }: Generations): boolean {
  return generation === null || (previousGeneration === null && !hasSubmissions)
}

/** What is kept until the outbox was compared with the manifests. */
export const TO_COMPARE = 'toCompare'

/** Begins a session; answers with what the marker must say before anything else happens. */
export function beginSession(store: WriteThrough, marker: StationMarker | null): StationMarker {
  const fact = (name: FactName): string | null => {
    const value = readFact(store, name)
    return value === '' ? null : value
  }
  const generations = {
    backupOf: fact('backupOf'),
    generation: fact('generation'),
    previousGeneration: fact('previousGeneration'),
    hasSubmissions: store.sql.prepare('SELECT 1 AS found FROM submissions LIMIT 1').get() !== undefined,
  }
  const why = detectRestore(generations, marker === null ? undefined : marker.generation)
  const begun = {
    stationId: marker?.stationId ?? fact('stationId') ?? randomUUID(),
    generation: randomUUID(),
  }
  store.write(() => {
    const wasCut = fact('session') === 'open'
    const before = fact('restored')
    // What was found out and not dealt with yet stays; there is nothing to compare where more is known.
    const known = before === TO_COMPARE ? why : (before ?? why)
    const found = known ?? (wasCut ? TO_COMPARE : before)
    writeFact(store, 'restored', found ?? '')
    writeFact(store, 'backupOf', '')
    writeFact(store, 'stationId', begun.stationId)
    writeFact(store, 'session', 'open')
    // What the marker says now, and not what the row says: openings that are cut off leave the marker as it is, however
    // many come in a row.
    writeGeneration(store, marker === null ? null : marker.generation, begun.generation)
  })
  return begun
}

/** Ends a session as it should be; answers with what the marker must say. */
export function endSession(store: WriteThrough, begun: StationMarker): StationMarker {
  const generation = randomUUID()
  store.write(() => {
    writeFact(store, 'session', 'closed')
    writeGeneration(store, begun.generation, generation)
  })
  return { ...begun, generation }
}

function writeGeneration(store: WriteThrough, from: string | null, to: string): void {
  writeFact(store, 'previousGeneration', from ?? '')
  writeFact(store, 'generation', to)
}
