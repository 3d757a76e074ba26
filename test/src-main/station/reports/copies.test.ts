import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { ForeignFiles } from '../../../../src-main/reader/messages.ts'
import { openedHere } from '../../../../src-main/reader/foreign-files.ts'
import { ShareSilent } from '../../../../src-main/station/lib/schedule.ts'
import { openReportCopies } from '../../../../src-main/station/reports/copies.ts'
import { HOUR, MINUTE } from '../../../../src-shared/durations.ts'
import type { Fields } from '../../../../src-shared/fields.ts'
import type { ReportKind } from '../../../../src-shared/report.ts'
import { createRecordingLogger } from '../../../tools/recording-logger.ts'
import { ManualClock } from '../../../tools/manual-clock.ts'
import { MORNING, openTestOutbox } from '../../../tools/outbox-with.ts'
import { sentCase } from '../../../tools/sent-case.ts'
import { temporaryFolder } from '../../../tools/temporary-folder.ts'
import { reportVersion } from '../outbox/case-in.ts'

/** Copies into the folder of the clinic that is set now, `saveTo`. */
function copiesWith(saveTo: string | null = temporaryFolder()) {
  const test = openTestOutbox()
  const clock = new ManualClock({ now: MORNING })
  const logger = createRecordingLogger()
  const reportsFolder = join(test.folder, 'reports')
  mkdirSync(reportsFolder)
  let copies: ReturnType<typeof openReportCopies> | null = null
  const opened: string[] = []
  const made = {
    clock,
    outbox: test.outbox,
    logger,
    reportsFolder,
    saveTo,
    copyNames: 'reference' as 'reference' | 'patient',
    opened,
    sent: (caseId: string, fields?: Fields) => {
      const id = sentCase(test, caseId)
      if (fields) test.outbox.setContent(id, { fields, sources: {}, reasons: [] }, MORNING)
      return { id, reference: test.outbox.rowOf(id)?.reference ?? '' }
    },
    /** Stores a version as the requests do: its bytes first. */
    save: (id: string, content: string, kind: ReportKind = 'text', contentType = 'text/plain'): void => {
      const sha256 = createHash('sha256').update(content).digest('hex')
      writeFileSync(join(reportsFolder, `${sha256}.txt`), content)
      const stated = { kind, content_type: contentType, size_bytes: content.length, fetched_at: clock.now() }
      test.outbox.saveReportVersion(reportVersion(id, '9', { ...stated, sha256 }))
    },
    open: async (
      copyReport: ForeignFiles['copyReport'] = (request) => openedHere.copyReport(request),
    ): Promise<void> => {
      copies = openReportCopies({
        openFiles: () => {
          opened.push('opened')
          return { copyReport, close: async () => void opened.push('closed') }
        },
        outbox: test.outbox,
        clock,
        logger,
        settings: () => ({ reports: { saveTo: made.saveTo, copyNames: made.copyNames } }),
        folder: reportsFolder,
      })
      await clock.settle()
    },
    wake: async (): Promise<void> => {
      copies?.wake()
      await clock.settle()
    },
    restart: async (): Promise<void> => {
      await copies?.close()
      await made.open()
    },
  }
  onTestFinished(() => copies?.close())
  return made
}

/** Copies that are open, and one case. */
async function openCopies() {
  const it = copiesWith()
  await it.open()
  return { it, ...it.sent('9') }
}

const filesIn = (folder: string | null): string[] => readdirSync(folder ?? '').toSorted()

describe('a copy of a report', () => {
  it.each([
    ['pdf', 'application/pdf', 'pdf'],
    ['json', 'application/json', 'json'],
    ['html', 'text/html;charset=utf-8', 'html'],
    ['text', 'text/plain;charset=utf-8', 'txt'],
    ['image', 'image/jpeg', 'jpg'],
    ['image', 'image/png', 'png'],
    ['image', 'image/x-odd', 'img'],
  ] as const)(
    'of kind %s (%s) lies there as it came, and its name says nothing of a patient',
    async (kind, type, ending) => {
      const { it, id, reference } = await openCopies()
      it.save(id, 'some bytes', kind, type)
      await it.wake()
      expect(filesIn(it.saveTo)).toEqual([`${reference}_1.${ending}`])
      const path = join(it.saveTo ?? '', `${reference}_1.${ending}`)
      expect(readFileSync(path, 'utf8')).toBe('some bytes')
      // Others read it: it is not closed as our own files are.
      expect(statSync(path).mode & 0o444 & ~process.umask()).toBe(0o444 & ~process.umask())
    },
  )

  it('of a case that was sent wrongly is copied once more under a name that says so, as all that come', async () => {
    const { it, id, reference } = await openCopies()
    it.save(id, 'first')
    await it.wake()
    it.outbox.noteSentWrongly(
      id,
      { because: 'patient', right: '', at: 1, by: 'AB', call: null },
      { by: 'AB', at: 1 },
    )
    await it.wake()
    it.save(id, 'second')
    await it.wake()
    expect(filesIn(it.saveTo)).toEqual([
      `DO-NOT-USE_${reference}_1.txt`,
      `DO-NOT-USE_${reference}_2.txt`,
      `${reference}_1.txt`,
    ])
  })

  it('of a link opens it', async () => {
    const { it, id, reference } = await openCopies()
    it.save(id, 'https://x.example/r\r\nIconFile=evil', 'link', 'text/uri-list')
    await it.wake()
    expect(readFileSync(join(it.saveTo ?? '', `${reference}_1.url`), 'utf8')).toBe(
      '[InternetShortcut]\r\nURL=https://x.example/rIconFile=evil\r\n',
    )
  })

  it('is made of every version, also of one that comes back', async () => {
    const { it, id, reference } = await openCopies()
    for (const content of ['first', 'second', 'first']) {
      it.save(id, content)
      await it.wake()
    }
    expect(filesIn(it.saveTo)).toEqual([1, 2, 3].map((number) => `${reference}_${number}.txt`))
    expect(readFileSync(join(it.saveTo ?? '', `${reference}_3.txt`), 'utf8')).toBe('first')
    await it.restart()
    expect(filesIn(it.saveTo)).toHaveLength(3)
  })

  it('overwrites nothing that others put there', async () => {
    const { it, id, reference } = await openCopies()
    writeFileSync(join(it.saveTo ?? '', `${reference}_1.txt`), 'theirs')
    it.save(id, 'ours')
    await it.wake()
    expect(readFileSync(join(it.saveTo ?? '', `${reference}_1.txt`), 'utf8')).toBe('theirs')
    expect(readFileSync(join(it.saveTo ?? '', `${reference}_2.txt`), 'utf8')).toBe('ours')
  })
})

describe('a copy that is named by number and date', () => {
  const named = async (fields: Fields) => {
    const it = copiesWith()
    it.copyNames = 'patient'
    await it.open()
    const { id, reference } = it.sent('9', fields)
    return { it, id, reference, beside: (name: string) => join(it.saveTo ?? '', `${name}.case.json`) }
  }
  const FIELDS: Fields = { history_number: 'H-00021', visit_date: '2026-11-20', last_name: 'Testwood' }

  it('has the same facts beside it, and no more', async () => {
    const { it, id, reference, beside } = await named(FIELDS)
    it.save(id, 'some bytes', 'pdf', 'application/pdf')
    await it.wake()
    const name = `H-00021_2026-11-20_${reference}_1`
    expect(filesIn(it.saveTo)).toEqual([`${name}.case.json`, `${name}.pdf`])
    expect(JSON.parse(readFileSync(beside(name), 'utf8'))).toEqual({
      historyNumber: 'H-00021',
      visitDate: '2026-11-20',
      reference,
      caseId: '9',
      version: 1,
      isSentWrongly: false,
    })
    expect(readFileSync(join(it.saveTo ?? '', `${name}.pdf`), 'utf8')).toBe('some bytes')
  })

  it.each([
    [
      'a number that is a path',
      { history_number: '../a/b\\c:1', visit_date: '2026-11-20' },
      '-a-b-c-1_2026-11-20_',
    ],
    ['a long number', { history_number: '7'.repeat(300) }, `${'7'.repeat(40)}_`],
    ['no number', { visit_date: '2026-11-20' }, '2026-11-20_'],
    ['nothing of it', {}, ''],
  ] as const)('with %s stays in its folder', async (_what, fields, start) => {
    const { it, id, reference } = await named(fields)
    it.save(id, 'ours')
    await it.wake()
    expect(filesIn(it.saveTo)).toEqual([`${start}${reference}_1.case.json`, `${start}${reference}_1.txt`])
  })

  it('and is JSON itself lies beside the facts; beside what is another\u2019s both have the next number', async () => {
    const { it, id, reference, beside } = await named(FIELDS)
    const name = `H-00021_2026-11-20_${reference}`
    writeFileSync(join(it.saveTo ?? '', `${name}_1.json`), 'theirs')
    it.save(id, '{}', 'json', 'application/json')
    await it.wake()
    expect(filesIn(it.saveTo)).toEqual([`${name}_1.json`, `${name}_2.case.json`, `${name}_2.json`])
    expect(readFileSync(beside(`${name}_2`), 'utf8')).toContain('"version":1')
  })

  it('is not done without the facts', async () => {
    const { it, id, reference, beside } = await named(FIELDS)
    const name = `H-00021_2026-11-20_${reference}_1`
    mkdirSync(beside(name))
    it.save(id, 'ours')
    await it.wake()
    rmSync(beside(name), { recursive: true })
    await it.clock.turn(MINUTE)
    expect(filesIn(it.saveTo)).toEqual([`${name}.case.json`, `${name}.txt`])
  })
})

describe('a report that is damaged here', () => {
  it('delays no copy of another, is logged once, and is copied once it is whole again', async () => {
    const { it } = await openCopies()
    const bad = it.sent('1')
    it.save(bad.id, 'to be damaged')
    const [file = ''] = readdirSync(it.reportsFolder)
    writeFileSync(join(it.reportsFolder, file), 'damaged')
    await it.wake()
    await it.clock.turn(HOUR)
    for (const caseId of ['2', '3', '4', '5']) {
      it.save(it.sent(caseId).id, `report of ${caseId}`)
      await it.wake()
    }
    expect(filesIn(it.saveTo)).toHaveLength(4)
    await it.clock.turn(HOUR)
    const warnings = it.logger.lines.filter(({ level }) => level === 'warn')
    expect(warnings).toHaveLength(1)
    writeFileSync(join(it.reportsFolder, file), 'to be damaged')
    await it.clock.turn(2 * MINUTE)
    expect(filesIn(it.saveTo)).toContain(`${bad.reference}_1.txt`)
  })

  it('and comes again is copied, and nothing turns in circles for the one before', async () => {
    const { it, id, reference } = await openCopies()
    it.save(id, 'first')
    rmSync(join(it.reportsFolder, readdirSync(it.reportsFolder)[0] ?? ''))
    await it.wake()
    for (const content of ['second', 'first']) it.save(id, content)
    await it.wake()
    await it.clock.turn(HOUR)
    expect(filesIn(it.saveTo)).toEqual([2, 3].map((number) => `${reference}_${number}.txt`))
  })

  it('several of them are no trouble of the folder', async () => {
    const { it } = await openCopies()
    for (const caseId of ['1', '2', '3', '4']) it.save(it.sent(caseId).id, `report of ${caseId}`)
    for (const file of readdirSync(it.reportsFolder)) rmSync(join(it.reportsFolder, file))
    it.save(it.sent('5').id, 'whole')
    await it.wake()
    expect(filesIn(it.saveTo)).toHaveLength(1)
  })
})

describe('a clock that was ahead', () => {
  it('delays no copy once it is right again', async () => {
    const it = copiesWith()
    const folder = it.saveTo ?? ''
    await it.open()
    rmSync(folder, { recursive: true })
    it.clock.set(365 * 24 * HOUR)
    it.save(it.sent('9').id, 'a report')
    await it.wake()
    it.clock.set(-365 * 24 * HOUR)
    mkdirSync(folder)
    await it.clock.turn(2 * MINUTE)
    expect(filesIn(folder)).toHaveLength(1)
  })
})

describe('a folder of copies that is gone', () => {
  it('is logged, is not created, is tried ever more rarely, and loses no report, not even over a restart', async () => {
    const it = copiesWith()
    const folder = it.saveTo ?? ''
    await it.open()
    const away = `${folder}-away`
    renameSync(folder, away)
    onTestFinished(() => rmSync(away, { recursive: true, force: true }))
    const ids = ['1', '2', '3', '4', '5'].map((caseId) => it.sent(caseId))
    for (const { id } of ids) it.save(id, `report of ${id}`)
    await it.wake()
    await it.clock.turn(HOUR)
    for (let count = 0; count < 20; count += 1) await it.wake()
    expect(existsSync(folder)).toBe(false)
    const warnings = it.logger.lines.filter(({ level }) => level === 'warn').length
    expect(warnings).toBeGreaterThan(4)
    expect(warnings).toBeLessThan(12)
    expect(JSON.stringify(it.logger.lines)).not.toContain(folder)
    renameSync(away, folder)
    await it.restart()
    expect(filesIn(folder)).toEqual(ids.map(({ reference }) => `${reference}_1.txt`).toSorted())
  })
})

describe('a change of the setting', () => {
  it('applies without a restart, and takes what comes from then on', async () => {
    const it = copiesWith()
    const folder = it.saveTo
    it.saveTo = null
    const { id, reference } = it.sent('9')
    it.save(id, 'history')
    await it.open()
    it.saveTo = folder
    await it.wake()
    expect(filesIn(folder)).toEqual([])
    it.save(id, 'news')
    await it.wake()
    expect(filesIn(folder)).toEqual([`${reference}_2.txt`])
    it.saveTo = null
    await it.wake()
    it.save(id, 'while it is off')
    await it.wake()
    it.saveTo = folder
    await it.wake()
    expect(filesIn(folder)).toHaveLength(1)
  })

  it('to another folder gives that one what the one before could not take, at once', async () => {
    const it = copiesWith()
    const folder = it.saveTo
    it.saveTo = join(folder ?? '', 'gone')
    await it.open()
    const { id, reference } = it.sent('9')
    it.save(id, 'a report')
    await it.wake()
    it.saveTo = folder
    await it.wake()
    expect(filesIn(folder)).toEqual([`${reference}_1.txt`])
  })
})

it('a folder whose share hangs is given up for a while, and another one that is set instead gets the reports', async () => {
  const made = copiesWith()
  const { id } = made.sent('9')
  const other = temporaryFolder()
  await made.open()
  await made.restart()
  made.save(id, 'one')
  const written: string[] = []
  await made.open((request) => {
    written.push(request.folder)
    return request.folder === other ? openedHere.copyReport(request) : Promise.reject(new ShareSilent())
  })
  const hanging = made.saveTo
  expect(made.logger.lines.filter(({ level }) => level === 'warn')).toHaveLength(1)
  await made.clock.turn(29_999)
  // Nothing else was begun there.
  expect(written).toEqual([hanging])
  made.saveTo = other
  made.opened.length = 0
  await made.wake()
  expect(written).toEqual([hanging, other])
  expect(filesIn(other)).toHaveLength(1)
  // What hangs at the former folder does not hold up this one.
  expect(made.opened).toEqual(['closed', 'opened'])
})
