/** Files that cannot be used, as the outbox keeps them: until a person has decided, their case may not leave. */
import { describe, expect, it } from 'vitest'
import type { UnusableDecision } from '../../../../src-shared/submission.ts'
import { worded } from '../../../../src-shared/wording.ts'
import { addTestImage, addWaiting, MORNING, openTestOutbox, someBytes } from '../../../tools/outbox-with.ts'

const FOLDER = '/exports'

/** A case that waits, with one file that cannot be used. */
function caseWithFile(test = openTestOutbox()) {
  const { outbox } = test
  const id = addWaiting(test)
  const mark = { folderPath: FOLDER, relativePath: 'visit/OS_2.jpg', sizeBytes: 9, mtimeMs: MORNING }
  const save = (changes: object = {}): void =>
    outbox.saveUnusable({
      ...mark,
      ...worded('intake:watch.overdue.truncated'),
      stemKey: 'visit/os_2',
      submissionId: id,
      why: 'truncated',
      at: MORNING,
      ...changes,
    })
  save()
  const row = () => outbox.unusableOf(id)[0]!
  const decide = (decision: UnusableDecision): void =>
    outbox.changeUnusable(row(), { decision, because: 'blink', made_by: 'AB', made_at: MORNING })
  return { test, outbox, id, mark, save, row, decide }
}

describe('a case with a file that cannot be used', () => {
  it.each<readonly [UnusableDecision | null, boolean]>([
    [null, false],
    ['wait', false],
    ['exclude', true],
    ['sendAsItIs', true],
    ['replaced', true],
  ])('and the decision %s may leave: %s', (decision, mayLeave) => {
    const { outbox, id, decide } = caseWithFile()
    if (decision !== null) decide(decision)
    expect(outbox.mayLeave(id)).toBe(mayLeave)
    expect(outbox.isAwaitingFile(id)).toBe(!mayLeave)
    expect(outbox.reviewIfUncleared(id, MORNING)).toBe(!mayLeave)
  })

  it('shows it in its details and in the list', () => {
    const { outbox, id } = caseWithFile()
    const shown = {
      fileName: 'visit/OS_2.jpg',
      eye: 'unknown',
      why: 'truncated',
      wording: { key: 'intake:watch.overdue.truncated' },
      decision: null,
      because: null,
      replacedBy: null,
    }
    expect(outbox.detailsOf(id)?.unusableFiles).toMatchObject([shown])
    expect(outbox.listSubmissions({ limit: 9 }).items).toMatchObject([{ unusableFiles: [shown] }])
  })

  it('is announced with each change of it', () => {
    const { test, id, row, outbox, decide } = caseWithFile()
    const before = test.notified.length
    outbox.changeUnusable(row(), { eye: 'left' })
    outbox.changeUnusable(row(), { eye: 'left' })
    decide('wait')
    expect(test.notified.slice(before)).toEqual([[id], [id]])
  })
})

describe('a file that cannot be used', () => {
  it('is known by its path, size and time; another version in the same case is a new question', () => {
    const { outbox, mark, save, row, decide } = caseWithFile()
    decide('exclude')
    expect(outbox.unusableAt(mark)).toMatchObject({ decision: 'exclude' })
    expect(outbox.unusableAt({ ...mark, sizeBytes: 10 })).toBeUndefined()
    outbox.changeUnusable(row(), { why: 'damaged', message: 'M.' })
    expect(row()).toMatchObject({ why: 'damaged', decision: 'exclude' })
    save({ sizeBytes: 10 })
    expect(outbox.unusableAt(mark)).toBeUndefined()
    expect(row()).toMatchObject({ size_bytes: 10, decision: null })
  })

  it('of another case under the same path leaves the first one as it is', () => {
    const { outbox, id, save, test } = caseWithFile()
    const other = addWaiting(test)
    save({ submissionId: other, sizeBytes: 10 })
    expect([id, other].map((one) => outbox.unusableOf(one).length)).toEqual([1, 1])
  })

  it('asks about the image of its name as long as that is in its case', () => {
    const { test, outbox, id, row } = caseWithFile()
    const imageId = addTestImage(test, id, { bytes: someBytes(), fileName: 'visit/OS_2.jpg' })
    outbox.changeUnusable(row(), { replaced_by: imageId })
    expect(outbox.submissionOf(id)?.unusableFiles).toMatchObject([{ replacedBy: imageId }])
    expect(outbox.newExportsAmong([imageId])).toEqual([imageId])
    outbox.moveImages([imageId], addWaiting(test))
    expect(outbox.submissionOf(id)?.unusableFiles).toMatchObject([{ replacedBy: null }])
    expect(outbox.newExportsAmong([imageId])).toEqual([])
  })

  it('without a case, or with one without images, looks for another one', () => {
    const { test, outbox, save, id, row } = caseWithFile()
    const homeless = () => outbox.homelessUnusable(FOLDER, MORNING).map(({ relative_path }) => relative_path)
    expect(homeless()).toEqual([])
    save({ submissionId: null, relativePath: 'IMG_3.jpg', stemKey: 'img_3' })
    outbox.moveImages(
      outbox.imageRowsOf(id).map((image) => image.id),
      addWaiting(test),
    )
    expect(homeless().toSorted()).toEqual(['IMG_3.jpg', 'visit/OS_2.jpg'])
    expect(outbox.homelessUnusable(FOLDER, MORNING + 1)).toEqual([])
    outbox.changeUnusable(row(), { decision: 'exclude' })
    expect(homeless()).toEqual(['IMG_3.jpg'])
  })

  it('reads cautiously what another version wrote', () => {
    const { outbox, id, row } = caseWithFile()
    outbox.changeUnusable(row(), { decision: 'burn' as never })
    expect(outbox.submissionOf(id)?.unusableFiles).toMatchObject([{ decision: null }])
    expect(outbox.mayLeave(id)).toBe(false)
  })
})

describe('a manifest', () => {
  it('holds the files of its case with their decisions, and is due again when one changes', () => {
    const { outbox, id, decide } = caseWithFile()
    const revision = outbox.manifestOf(id)?.revision ?? 0
    decide('wait')
    expect(outbox.manifestOf(id)?.revision).toBeGreaterThan(revision)
    expect(outbox.manifestOf(id)?.unusable).toMatchObject([{ decision: 'wait', made_by: 'AB' }])
  })

  it('brings them back into a lost outbox', () => {
    const { outbox, id, decide } = caseWithFile()
    decide('wait')
    const manifest = outbox.manifestOf(id)!
    const { outbox: rebuilt } = openTestOutbox()
    rebuilt.applyManifests([manifest], MORNING)
    expect(rebuilt.submissionOf(id)).toMatchObject({ unusableFiles: [{ decision: 'wait' }] })
    expect(rebuilt.mayLeave(id)).toBe(false)
    rebuilt.applyManifests([{ ...manifest, unusable: [], revision: manifest.revision + 9 }], MORNING)
    expect(rebuilt.submissionOf(id)).toMatchObject({ unusableFiles: [] })
  })
})

describe('the files of a folder that are in no case', () => {
  const names = Array.from({ length: 5_000 }, (_, number) => `day ${number % 40}/Foto_${number}.tif`)
  const note = (message: string) => ({ kind: 'notAnImage' as const, message, at: MORNING })

  it('are all found, page by page, and each by its name, whatever its letters', () => {
    const { outbox } = openTestOutbox()
    const odd = ['Jose\u0301/ÁRBOL.BMP', '眼底/100 %_OD.jpg', "O'Neil\\x.dcm"]
    for (const [at, all] of [names, odd].entries())
      outbox.saveNotes(
        FOLDER,
        new Map(all.map((fileName) => [fileName, { ...note(`${at} ${fileName}`), fileName }])),
      )
    const found: string[] = []
    for (let after: number | undefined, isOver = false; !isOver;) {
      const page = outbox.listNotes([FOLDER], { limit: 200, ...(after !== undefined && { after }) })
      expect(page.total).toBe(5_003)
      found.push(...page.items.map(({ fileName }) => fileName))
      after = page.next ?? undefined
      isOver = page.next === null
    }
    expect(found.toSorted()).toEqual([...names, ...odd].toSorted())
    for (const [search, fileName] of [
      ['foto_4999.', 'day 39/Foto_4999.tif'],
      ['josé/árbol', 'Jose\u0301/ÁRBOL.BMP'],
      ['100 %_', '眼底/100 %_OD.jpg'],
      ['\\x', "O'Neil\\x.dcm"],
    ] as const)
      expect(outbox.listNotes([FOLDER], { search, limit: 5 }).items).toMatchObject([{ fileName }])
    expect(outbox.countNotes(FOLDER)).toEqual({ notAnImage: 5_003 })
    expect(outbox.listNotes(['/elsewhere'], { limit: 5 }).total).toBe(0)
  })
})
