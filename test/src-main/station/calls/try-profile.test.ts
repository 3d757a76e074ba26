/** The preview of a folder through its call: it shows the visits, values, eyes and files that the station would make. */
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ProfileDryRun } from '../../../../src-shared/station-status.ts'
import { exportFiles } from '../../../camera/layouts/layout.ts'
import { type LayoutRow, layoutRows } from '../../../end-to-end/layouts/rows.ts'
import { expectedTable } from '../../../end-to-end/layouts/tables.ts'
import { isLongRun } from '../../../tools/long-run.ts'
import { ManualClock } from '../../../tools/manual-clock.ts'
import { temporaryFolder } from '../../../tools/temporary-folder.ts'
import { picture } from '../cases/cases-with.ts'
import { partsWith } from './parts-with.ts'

/** The evening of the visits in the layouts. */
const EVENING = new Date(2026, 5, 3, 20).getTime()

async function previewOf(path: string, reading?: LayoutRow['folder']): Promise<ProfileDryRun> {
  const test = await partsWith({}, { clock: new ManualClock({ now: EVENING }) })
  const answer = await test.call('folders.tryProfile', { path, reading })
  if (!answer.ok) throw new Error(answer.failure.message)
  // Nothing of it reaches the outbox.
  expect(test.outbox.listSubmissions({ limit: 10 }).total).toBe(0)
  return answer.value
}

/** One row of each layout, as `auto` reads it, and one that settings leave files out of; the default run takes a third. */
const ROWS = layoutRows
  .filter(
    ({ name, folder }, index, all) =>
      (/^\d+:/.test(name) &&
        index === all.findIndex((one) => one.name.split(':')[0] === name.split(':')[0])) ||
      folder?.leaveAlone?.includes('mosaic'),
  )
  .filter((_, index) => isLongRun || index % 3 === 0)

type Visit = Pick<ProfileDryRun['visits'][number], 'fields' | 'sources'> & {
  readonly images: readonly Omit<ProfileDryRun['visits'][number]['images'][number], 'eyeSource'>[]
}

/** A visit in an order of its own. Which of a folder and its files is called a source means nothing. */
function shown({ fields, sources, images }: Visit) {
  return {
    fields,
    sources: Object.keys(sources).toSorted(),
    images: images
      .map(({ fileName, contentType, eye, twinOf }) => [fileName, contentType, eye, twinOf].join(' '))
      .toSorted(),
  }
}

describe('folders.tryProfile', () => {
  it.each(ROWS)('shows what the station makes of $name', async (row) => {
    const path = temporaryFolder()
    await exportFiles(path, row.files.flat(), { atOnce: 2 })
    const { visits, triedCount } = await previewOf(path, row.folder)
    const made = expectedTable(row, 'inTime').submissions.map((one) => shown(one as Visit))
    expect(made.length).toBeGreaterThan(0)
    expect(visits.map(shown)).toEqual(expect.arrayContaining(made))
    expect(visits).toHaveLength(made.length)
    expect(triedCount).toBeGreaterThanOrEqual(made.flatMap(({ images }) => images).length)
  })

  it.each([
    [
      'names alone',
      ['K-70113_20260603/K-70113_20260603_OD_1.jpg', 'K-70113_20260603/K-70113_20260603_OS_1.jpg'],
      { history_number: 'K-70113', visit_date: '2026-06-03' },
      [],
    ],
    [
      'a number without a day',
      ['880214/OD.jpg', '880214/OS.jpg'],
      { history_number: '880214', visit_date: '2026-06-02' },
      ['checkProposal'],
    ],
    ['neither', ['IMG_0001.jpg'], {}, ['fieldMissing', 'eyeUnknown']],
  ])('says what a person would be asked about %s', async (_what, names, fields, asked) => {
    const path = temporaryFolder()
    for (const name of names) {
      mkdirSync(join(path, dirname(name)), { recursive: true })
      writeFileSync(join(path, name), await picture())
      const at = new Date(2026, 5, 2, 9)
      utimesSync(join(path, name), at, at)
    }
    const { visits } = await previewOf(path)
    expect(visits).toHaveLength(1)
    expect(visits[0]?.fields).toMatchObject(fields)
    expect(visits[0]?.images.map(({ fileName }) => fileName)).toEqual(names)
    expect([...(visits[0]?.reasons ?? []), ...(visits[0]?.oddities ?? [])].map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(asked),
    )
  })

  it('gives what a data file states of its own images, and its sources', async () => {
    const path = temporaryFolder()
    writeFileSync(join(path, 'left.jpg'), await picture())
    const fields = { history_number: 'R-5521', last_name: 'Testwood', visit_date: '2026-06-03', os_iop: 17 }
    writeFileSync(join(path, 'case.json'), JSON.stringify({ ...fields, images: { 'left.jpg': 'OS' } }))
    const { visits } = await previewOf(path)
    expect(visits.map(({ fields }) => fields)).toEqual([expect.objectContaining(fields)])
    expect(visits[0]?.sources.history_number).toBe('sidecar')
    expect(visits[0]?.images).toEqual([expect.objectContaining({ fileName: 'left.jpg', eye: 'left' })])
  })

  it('notes a file that is no image and one that is cut off, each by its name', async () => {
    const path = temporaryFolder()
    const whole = await picture()
    writeFileSync(join(path, 'a.pdf'), '%PDF-1.7')
    writeFileSync(join(path, 'b.png'), whole.subarray(0, whole.length - 20))
    const { visits, notes } = await previewOf(path)
    expect(visits).toEqual([])
    expect(notes.map(({ fileName, kind }) => `${fileName} ${kind}`).toSorted()).toEqual([
      'a.pdf ignored',
      'b.png arriving',
    ])
  })

  it('is refused for a folder that is not there', async () => {
    const test = await partsWith()
    expect(await test.call('folders.tryProfile', { path: join(temporaryFolder(), 'gone') })).toMatchObject({
      ok: false,
      failure: { kind: 'folderUnreachable' },
    })
  })
})
