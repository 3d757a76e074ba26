import { describe, expect, it } from 'vitest'
import { createOutsideLinks, safeHttpsAddress } from '../../../src-main/electron/window-security.ts'
import { succeed } from '../../../src-shared/failure.ts'
import type { Report } from '../../../src-shared/report.ts'
import { recordingLogger } from './recording-logger.ts'

const REPORT = 'https://service.example/reports/88403?page=1'

function linkReport(text: string, kind: 'link' | 'text' = 'link'): Report {
  const version = { id: 'r1', contentType: 'text/plain', sizeBytes: 1, sha256: '', fetchedAt: 0 }
  return { caseId: '9', submissionId: 's1', versions: [{ ...version, kind, text }] }
}

function open() {
  const opened: string[] = []
  const logger = recordingLogger()
  const outside = createOutsideLinks({
    openExternal: (address) => {
      opened.push(address)
      return address.includes('broken') ? Promise.reject(new Error('no program')) : Promise.resolve()
    },
    logger,
  })
  const show = (report: Report, name = 'reports.get') =>
    outside.remembering(() => Promise.resolve(succeed(report)))(name, {})
  return { opened, logger, outside, show }
}

describe('an address outside', () => {
  it.each([
    [REPORT, REPORT],
    ['  https://service.example  ', 'https://service.example/'],
    ['http://service.example/', null],
    ['https://name:password@service.example/', null],
    ['file:///C:/Windows/System32/calc.exe', null],
    ['\\\\server\\share\\run.exe', null],
    ['ms-msdt:/id', null],
    ['mailto:somebody@service.example', null],
    ['javascript:alert(1)', null],
    ['app://station/index.html', null],
    ['', null],
  ])('%j may be opened as %j', (text, address) => {
    expect(safeHttpsAddress(text)).toBe(address)
  })

  it('is opened where the station has shown it as a report, and the answer is what it was', async () => {
    const { opened, outside, show } = open()
    outside.openIfShown(REPORT)
    expect(opened).toEqual([])
    expect(await show(linkReport(`${REPORT}\n`))).toEqual(succeed(linkReport(`${REPORT}\n`)))
    outside.openIfShown(REPORT)
    expect(opened).toEqual([REPORT])
  })

  it.each([
    ['another address of the same service', linkReport('https://service.example/other')],
    ['an address in a text', linkReport(REPORT, 'text')],
    ['an address that is none', linkReport('http://service.example/reports/88403?page=1')],
  ])('is not opened for %s, and not written into the log', async (_what, report) => {
    const { opened, logger, outside, show } = open()
    await show(report)
    outside.openIfShown(REPORT)
    expect(opened).toEqual([])
    expect(logger.lines).toMatchObject([{ level: 'warn' }])
    expect(JSON.stringify(logger.lines)).not.toContain('service.example')
  })

  it('is not taken from the answers of other calls, and not remembered for ever', async () => {
    const { opened, outside, show } = open()
    await show(linkReport(REPORT), 'cases.get')
    outside.openIfShown(REPORT)
    await show(linkReport(REPORT))
    for (let number = 0; number < 100; number += 1)
      await show(linkReport(`https://service.example/${number}`))
    outside.openIfShown(REPORT)
    outside.openIfShown('https://service.example/0')
    expect(opened).toEqual(['https://service.example/0'])
  })

  it('that the system cannot open is told, without the address', async () => {
    const { logger, outside, show } = open()
    await show(linkReport('https://broken.example/'))
    outside.openIfShown('https://broken.example/')
    await expect.poll(() => logger.lines.length).toBe(1)
    expect(JSON.stringify(logger.lines)).not.toContain('broken.example')
  })
})
