/** The data files of the examined station's folder: what they say now, and what they said before they were written over. */
import { readDataFile } from '../../src-main/station/reader/data-files/data-files.ts'
import { foldPath, stemKeyOf } from '../../src-main/station/cases/meaning/sources.ts'
import {
  bondOf,
  doEyesDiffer,
  eyesIn,
  type HeldRecord,
  type NameUse,
} from '../../src-main/station/cases/verdict/binding.ts'
import { labelOf, type Person, personIn } from '../../src-main/station/cases/meaning/persons.ts'
import type { BondedRecord } from '../../src-main/station/cases/verdict/picture.ts'
import { folderOfVisit } from '../../src-main/station/cases/verdict/together.ts'
import type { Statement } from '../../src-main/station/cases/verdict/verdict.ts'
import { bareId } from '../../src-main/station/cases/meaning/numbers.ts'

const DATA_OPTIONS = { columns: {}, dateOrder: 'ymd', nameOrder: 'lastFirst' } as const

/** True for the paths of pictures that a change of a data file may be about. */
export type Concerns = (path: string) => boolean

export class RecordBook {
  readonly #records = new Map<string, readonly HeldRecord[]>()
  /** The paths of the records of one exposure. */
  readonly #ofCapture = new Map<string, Set<string>>()
  readonly #ofPatient = new Map<string, Set<HeldRecord>>()
  readonly #now = new RecordIndex()
  readonly #past = new RecordIndex()

  /** Reads a data file, which may be written over; null if nothing can be read in it. */
  write(path: string, text: string): Concerns | null {
    const reading = readDataFile(path, new TextEncoder().encode(text), DATA_OPTIONS)
    if (!reading.ok) return null
    const { form, records } = reading
    const before = this.#records.get(path) ?? []
    const held = records.map((record): HeldRecord => {
      const isOther =
        form !== 'table' &&
        before.some((one) => one.onlyDoubts || patientOf(one.record) !== patientOf(record))
      return { path, form, record, onlyDoubts: isOther }
    })
    // A row that is gone withdraws nothing, nor does a record that now states another eye.
    const rows = new Set(held.map(rowOf))
    const kept = before.filter(
      (one) => (form === 'table' && !rows.has(rowOf(one))) || held.some((now) => isContradicted(one, now)),
    )
    const after = [...held, ...kept]
    this.#records.set(path, after)
    for (const one of before) this.#ofPatient.get(patientKeyOf(one))?.delete(one)
    for (const one of after) {
      const key = patientKeyOf(one)
      this.#ofPatient.set(key, (this.#ofPatient.get(key) ?? new Set()).add(one))
    }
    this.#now.replace(before, after)
    this.#past.replace([], before)
    const contents = new Set(before.map(contentOf))
    const copies = held.flatMap(({ record: { capture } }) => {
      if (capture === undefined) return []
      const paths = this.#ofCapture.get(capture) ?? new Set()
      this.#ofCapture.set(capture, paths.add(path))
      return [...paths].flatMap((one) => this.#records.get(one) ?? [])
    })
    const changed = new RecordIndex()
    changed.replace(
      [],
      [
        ...copies,
        ...held.filter((one) => !contents.has(contentOf(one))),
        ...(held[0]?.onlyDoubts ? before : []),
      ],
    )
    return (image) => changed.about(image).length > 0
  }

  /** The people whom records name under this number. */
  peopleOf(id: string): readonly Statement<Person>[] {
    const held = [...(this.#ofPatient.get(foldPath(id)) ?? [])]
    const people = held.map(({ path, record }) => ({
      value: personIn(record),
      source: 'sidecar' as const,
      where: path,
    }))
    return [...new Map(people.map((one) => [labelOf(one.value), one])).values()]
  }

  /** The records that are copies of one of an exposure, in other places. */
  copiesOf({ path, record: { capture } }: HeldRecord): readonly HeldRecord[] {
    const paths = capture === undefined ? [] : [...(this.#ofCapture.get(capture) ?? [])]
    return paths.filter((one) => one !== path).flatMap((one) => this.#records.get(one) ?? [])
  }

  /** The records about a picture; `use`: what else this folder has had under one of its names. */
  bondsOf(
    paths: readonly string[],
    use: NameUse,
    others: readonly string[],
    isOfOther: (held: HeldRecord) => boolean,
  ): readonly BondedRecord[] {
    const past = paths
      .flatMap((path) => this.#past.about(path))
      .filter(({ path }) => use === 'reused' || this.#records.get(path)?.[0]?.onlyDoubts)
    const held = new Set([...paths.flatMap((path) => this.#now.about(path)), ...past])
    return [...held].flatMap((found): BondedRecord[] => {
      const one = { ...found, onlyDoubts: found.onlyDoubts || isOfOther(found) }
      const bonds = paths.map((path) => ({ path, bond: bondOf(one, path, use, others) }))
      const best = bonds.find(({ bond }) => bond === 'bound') ?? bonds.find(({ bond }) => bond === 'hint')
      return best === undefined || best.bond === 'none'
        ? []
        : [{ held: one, bond: best.bond, eyes: eyesIn(one, best.path) }]
    })
  }
}

function patientKeyOf({ record }: HeldRecord): string {
  return foldPath(record.fields.history_number ?? '')
}

/** Finds the records that may be about a picture, by their folder and the names that they hold. */
class RecordIndex {
  readonly #byKey = new Map<string, Set<HeldRecord>>()

  replace(before: readonly HeldRecord[], after: readonly HeldRecord[]): void {
    for (const one of before) for (const key of keysOf(one)) this.#byKey.get(key)?.delete(one)
    for (const one of after)
      for (const key of keysOf(one)) {
        const held = this.#byKey.get(key)
        if (held) held.add(one)
        else this.#byKey.set(key, new Set([one]))
      }
  }

  about(image: string): readonly HeldRecord[] {
    if (this.#byKey.size === 0) return []
    const { folder, name } = splitPath(foldPath(image))
    const stem = stemKeyOf(name)
    const found: HeldRecord[] = []
    for (let above = folder; ; above = splitPath(above).folder) {
      for (const key of [`${above}|`, `${above}|${name}`, `${above}|${stem}.`, `${above}|${name}.`])
        found.push(...(this.#byKey.get(key) ?? []))
      if (above === '') return found
    }
  }
}

/** The paths, without extensions, of the images that a record may be of. */
export function stemsOf({ path, record }: HeldRecord): readonly string[] {
  const { folder } = splitPath(path)
  const named = [...record.files, ...Object.keys(record.eyes)].map((file) => `${folder}/${file}`)
  return [path, ...named].map((one) => stemKeyOf(one.replace(/^\//, '')))
}

function keysOf({ path, form, record }: HeldRecord): readonly string[] {
  const { folder, name } = splitPath(foldPath(path))
  const names = [...record.files, ...Object.keys(record.eyes)].flatMap((file) => {
    const own = splitPath(foldPath(file)).name
    return [own, stemKeyOf(own)]
  })
  const ofFolder = form === 'case' ? [''] : form === 'document' ? [`${stemKeyOf(name)}.`] : []
  return [...new Set([...names, ...ofFolder])].map((key) => `${folder}|${key}`)
}

function splitPath(path: string): { readonly folder: string; readonly name: string } {
  const slash = path.lastIndexOf('/')
  return { folder: slash === -1 ? '' : path.slice(0, slash), name: path.slice(slash + 1) }
}

function patientOf({ fields }: HeldRecord['record']): string {
  return bareId(fields.history_number ?? '')
}

function isContradicted({ record: before }: HeldRecord, { record: now }: HeldRecord): boolean {
  return patientOf(before) === patientOf(now) && doEyesDiffer(before, now)
}

function rowOf({ record }: HeldRecord): string {
  return JSON.stringify([record.fields.history_number, record.fields.visit_date, record.files])
}

function contentOf({ record, onlyDoubts }: HeldRecord): string {
  return JSON.stringify([record, onlyDoubts])
}

/** The folder of the visit, and the plain name. */
export function nameKeyOf(path: string): string {
  return `${folderOfVisit(path) ?? ''}/${nameOf(path)}`
}

export function nameOf(path: string): string {
  return foldPath(path.slice(path.lastIndexOf('/') + 1))
}
