/** What a person has said or grouped holds, whatever comes later; and what was sent stays as it was sent. */
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { readDataFile } from '../../../../../src-main/station/readers/read-data.ts'
import { openedHere } from '../../../../../src-main/reader/foreign-files.ts'
import { readPhoto } from '../../../../../src-main/reader/pictures/photo.ts'
import { assignArrival, ingest } from '../../../../../src-main/station/cases/ingest.ts'
import type { IngestContext } from '../../../../../src-main/station/cases/settle.ts'
import type { ImageRow, SubmissionRow } from '../../../../../src-main/station/outbox/rows.ts'
import { settingsSchema } from '../../../../../src-shared/settings.ts'
import type { StoredSubmission } from '../../../../../src-main/station/outbox/submissions.ts'
import { startAttempt } from '../../../../tools/outbox-with.ts'
import { costly, fc, runs } from '../../../../tools/property.ts'
import { temporaryFolder } from '../../../../tools/temporary-folder.ts'
import { partsWith, type TestParts } from '../../calls/parts-with.ts'
import { contentOf, markIn } from '../cases-with.ts'
import { filesOf, type PlannedFile, visits } from './scenarios.ts'

const RUNS = runs(40)

const nat = fc.nat(30)

/** A person at the screens. Numbers choose among the cases and images that there are. */
const deed = fc.oneof(
  fc.record({ kind: fc.constant('come' as const), files: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ kind: fc.constant('close' as const) }),
  fc.record({
    kind: fc.constant('eye' as const),
    image: nat,
    eye: fc.constantFrom('right' as const, 'left'),
  }),
  fc.record({ kind: fc.constant('field' as const), one: nat, age: fc.constantFrom(41, 55, null) }),
  fc.record({ kind: fc.constantFrom('merge' as const, 'split', 'move'), one: nat, other: nat }),
)
type Deed = typeof deed extends fc.Arbitrary<infer Value> ? Value : never
const deeds = fc.array(deed, { minLength: 4, maxLength: 14 })

/** A station with its calls, and a camera's folder; every file is reported by the test. */
class Desk {
  readonly parts: TestParts
  readonly context: IngestContext
  readonly #camera: string
  /** What persons said of images, by id. */
  readonly eyes = new Map<string, string>()
  /** Which ages persons entered or emptied. */
  readonly ages = new Map<string, number | null>()
  /** The images of each case that a person grouped, as he left them. */
  readonly groups = new Map<string, ReadonlySet<string>>()

  constructor(parts: TestParts, camera: string) {
    this.parts = parts
    this.#camera = camera
    const spoolFolder = join(parts.folder, 'spool')
    const settings = settingsSchema.parse(folderSettings(camera))
    this.context = {
      outbox: parts.outbox,
      clock: parts.clock,
      settings: () => settings,
      folderPath: camera,
      spoolFolder,
      pictureFolder: spoolFolder,
      foreign: openedHere,
      own: openedHere,
      readPhoto,
      readDataFile: async (name, bytes, how) => readDataFile(name, bytes, how),
      version: '0',
      note: () => undefined,
      storageIs: () => undefined,
    }
  }

  async come({ path, bytes, at }: PlannedFile): Promise<void> {
    const whole = join(this.#camera, path)
    mkdirSync(dirname(whole), { recursive: true })
    writeFileSync(whole, bytes)
    utimesSync(whole, at / 1_000, at / 1_000)
    const file = { ...markIn(this.#camera, path), content: contentOf(path) }
    const read = await ingest(this.context, file)
    expect(typeof read === 'string' ? read : assignArrival(read)).toBe('done')
  }

  cases(): StoredSubmission[] {
    const { items } = this.parts.outbox.listSubmissions({ limit: 200 })
    return items.filter(({ state }) => state !== 'discarded')
  }

  row(id: string): SubmissionRow {
    const row = this.parts.outbox.rowOf(id)
    if (!row) throw new Error('a case has vanished')
    return row
  }

  images(): ImageRow[] {
    return this.cases().flatMap(({ id }) => this.parts.outbox.imageRowsOf(id))
  }

  async close(): Promise<void> {
    const ids = this.cases().flatMap(({ id, state }) => (state === 'collecting' ? [id] : []))
    if (ids.length > 0) await this.parts.call('submissions.closeNow', { ids })
  }

  async do(deed: Exclude<Deed, { kind: 'come' }>): Promise<void> {
    const cases = this.cases()
    const at = <Value>(values: readonly Value[], nth: number): Value | undefined =>
      values[nth % Math.max(values.length, 1)]
    switch (deed.kind) {
      case 'close':
        return this.close()
      case 'eye': {
        const image = at(this.images(), deed.image)
        if (!image) return
        const change = { id: image.submission_id, images: [{ id: image.id, eye: deed.eye }] }
        const answer = await this.parts.call('submissions.update', change)
        if (answer.ok) this.eyes.set(image.id, deed.eye)
        return
      }
      case 'field': {
        const one = at(cases, deed.one)
        if (!one) return
        const answer = await this.parts.call('submissions.update', { id: one.id, fields: { age: deed.age } })
        if (answer.ok) this.ages.set(one.id, deed.age)
        return
      }
      case 'merge':
        return this.#regroup('submissions.merge', {
          ids: [at(cases, deed.one)?.id, at(cases, deed.other)?.id],
        })
      case 'split': {
        const one = at(cases, deed.one)
        const imageIds = [at(one?.images ?? [], deed.other)?.id]
        return this.#regroup('submissions.split', { id: one?.id, imageIds })
      }
      case 'move': {
        const imageIds = [at(this.images(), deed.one)?.id]
        return this.#regroup('submissions.moveImages', { imageIds, toId: at(cases, deed.other)?.id })
      }
    }
  }

  async #regroup(
    call: 'submissions.merge' | 'submissions.split' | 'submissions.moveImages',
    input: unknown,
  ): Promise<void> {
    const before = this.images().map(({ id }) => id)
    await this.parts.call(call, input)
    expect(
      this.images()
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(before.toSorted())
    // A joined case is gone, with what was said of it carried on or refused.
    const open = new Set(this.cases().map(({ id }) => id))
    for (const id of this.ages.keys()) if (!open.has(id)) this.ages.delete(id)
    this.groups.clear()
    for (const { id, images } of this.cases())
      if (this.row(id).grouped_by === 'person') this.groups.set(id, new Set(images.map((image) => image.id)))
  }

  /** Sentences about what was undone; none where every word holds. */
  undone(): string[] {
    const found: string[] = []
    const images = new Map(this.images().map((image) => [image.id, image]))
    for (const [id, eye] of this.eyes) {
      const image = images.get(id)
      if (image?.eye !== eye || image.eye_source !== 'person')
        found.push(`the eye of ${image?.file_name ?? id}`)
    }
    for (const [id, age] of this.ages) {
      const one = this.parts.outbox.submissionOf(id)
      if ((one?.fields.age ?? null) !== age || one?.sources.age !== 'person') found.push(`the age in ${id}`)
    }
    for (const [id, own] of this.groups) {
      for (const imageId of own)
        if (images.get(imageId)?.submission_id !== id)
          found.push(`the place of ${images.get(imageId)?.file_name ?? imageId}`)
      if (this.row(id).state === 'waiting') found.push(`the look at ${id}`)
    }
    return found
  }
}

function folderSettings(camera: string): z.input<typeof settingsSchema> {
  return { folders: [{ path: camera, quietSeconds: 60, sendWithoutReview: true }] }
}

async function newDesk(): Promise<Desk> {
  const camera = temporaryFolder()
  return new Desk(await partsWith(settingsSchema.parse(folderSettings(camera))), camera)
}

/** The same files in an order that a seed decides. */
const shuffled = fc
  .array(fc.nat(10_000), { minLength: 48, maxLength: 48 })
  .map((order) => (files: readonly PlannedFile[]): PlannedFile[] => {
    const rank = (file: PlannedFile): number => order[files.indexOf(file) % order.length] ?? 0
    return files.toSorted((one, other) => rank(one) - rank(other))
  })

describe('what a person says and groups', () => {
  it('holds whatever comes later, and no image is lost by joining, parting and moving', async () => {
    await fc.assert(
      fc.asyncProperty(visits, shuffled, deeds, async (planned, shuffle, done) => {
        const desk = await newDesk()
        const coming = shuffle(await filesOf(planned))
        for (const deed of done) {
          if (deed.kind === 'come') for (const file of coming.splice(0, deed.files)) await desk.come(file)
          else await desk.do(deed)
          expect(desk.undone()).toEqual([])
        }
        for (const file of coming) {
          await desk.come(file)
          expect(desk.undone()).toEqual([])
        }
        await desk.close()
        expect(desk.undone()).toEqual([])
      }),
      { numRuns: RUNS, ...costly },
    )
  }, 300_000)
})

describe('what is on its way', () => {
  it('keeps its images and its fields, whatever comes later', async () => {
    let tried = 0
    await fc.assert(
      fc.asyncProperty(visits, shuffled, fc.integer({ min: 1, max: 8 }), async (planned, shuffle, early) => {
        const desk = await newDesk()
        const coming = shuffle(await filesOf(planned))
        for (const file of coming.splice(0, early)) await desk.come(file)
        await desk.close()
        const { outbox } = desk.parts
        const claimed = desk.cases().filter(({ state }) => state === 'waiting')
        for (const { id } of claimed) startAttempt({ outbox }, id)
        tried += claimed.length
        const asSent = claimed.map(({ id }) => sentPartOf(desk, id))
        for (const file of coming) await desk.come(file)
        await desk.close()
        expect(claimed.map(({ id }) => sentPartOf(desk, id))).toEqual(asSent)
      }),
      { numRuns: RUNS, ...costly },
    )
    expect(tried).toBeGreaterThan(RUNS / 8)
  }, 300_000)
})

function sentPartOf(desk: Desk, id: string): unknown {
  const { fields, sources, state, images } = desk.parts.outbox.submissionOf(id) ?? {}
  return { fields, sources, state, images }
}
