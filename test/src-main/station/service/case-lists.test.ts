/** Long lists of cases: read in a process, each body once, and in every dialect as short ones are. */
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { openReaderProcesses } from '../../../../src-main/station/readers/processes.ts'
import type { ReadLongPage } from '../../../../src-main/station/service/case-lists.ts'
import { shownPageIn } from '../../../../src-main/station/service/cases.ts'
import type { CaseList, ServiceClient } from '../../../../src-main/station/service/client.ts'
import { createRecordingLogger } from '../../../tools/recording-logger.ts'
import { stationPorts } from '../../../tools/station-ports.ts'
import { openClient, openService, paths, readLongPage, tokensSeen } from './client-with.ts'
import { type Answer, openHttpServer } from './loopback.ts'

const MANY = 600

type Row = Readonly<Record<string, unknown>>

/** Rows of about 600 bytes: a page of them is long. */
function rows(count = MANY, first = 1): readonly Row[] {
  return Array.from({ length: count }, (_, index) => ({
    id: first + index,
    history_number: `H-${first + index}`,
    visit_date: '2026-11-20',
    patient: { first_name: 'Testina', last_name: `Sample${first + index}` },
    notes: 'x'.repeat(450),
  }))
}

const keyed = Object.fromEntries(rows().map(({ id, ...rest }) => [String(id), rest]))
const html = { 'content-type': 'text/html; charset=iso-8859-1' }

const PAGES: readonly (readonly [name: string, answer: Answer])[] = [
  ['a bare list', { json: rows() }],
  ['an envelope', { json: { success: true, data: { content: rows() } } }],
  ['cases under their ids', { json: keyed }],
  ['some without an id', { json: [...rows(), { history_number: 'H-0' }] }],
  ['a total that is not reached', { json: { total: MANY + 1, items: rows() } }],
  [
    'more digits than JavaScript holds',
    { text: JSON.stringify(rows()).replace('"id":7,', '"id":90071992547409931234,') },
  ],
  ['JSON that is labelled as a page', { text: JSON.stringify(rows()), headers: html }],
  [
    'letters of Latin 1',
    { text: Buffer.from(JSON.stringify(rows()).replace('Testina', 'Tésta'), 'latin1'), headers: html },
  ],
  ['UTF-16', { text: Buffer.from(JSON.stringify(rows()), 'utf16le') }],
  [
    'a program that complains',
    {
      text: `<b>Notice</b>:  Undefined index: eye in /srv/L.php on line 4<br />\n${JSON.stringify(rows())}`,
      headers: html,
    },
  ],
]

/** What a list says that is read at once. */
async function listedAtOnce(answer: Answer): Promise<Partial<CaseList>> {
  const body = Buffer.from(answer.text ?? JSON.stringify(answer.json))
  const text = new TextDecoder(body.includes(0) ? 'utf-16le' : answer.headers ? 'latin1' : 'utf-8').decode(
    body,
  )
  const shown = shownPageIn({ status: 200, headers: {}, body: Buffer.from(text), isComplete: true })
  if (shown === null) throw new Error('There is a list.')
  const { page, hasOtherText } = shown
  const isWhole = page.unreadableCount === 0 && !hasOtherText && (page.total ?? 0) <= page.cases.length
  return { cases: page.cases, isComplete: isWhole }
}

async function listed(client: ServiceClient): Promise<CaseList> {
  const list = await client.listCases()
  if (!list.ok) throw new Error(list.failure.kind)
  return list.value
}

describe('a long list', () => {
  it.each(PAGES)('says the same as a short one: %s', async (_name, answer) => {
    const { client } = await openService(() => answer)
    const list = await listed(client)
    expect(list).toEqual(await listedAtOnce(answer))
    expect(list.cases.length).toBeGreaterThanOrEqual(MANY)
  })

  it('is followed from page to page, long or short', async () => {
    const service = await openService(({ path }) => ({
      json: path.includes('page=2')
        ? { data: rows(1, MANY + 1) }
        : { data: rows(), links: { next: '/eye/api/cases?page=2' } },
    }))
    expect(await listed(service.client)).toMatchObject({ cases: { length: MANY + 1 }, isComplete: true })
  })

  it('that is a refusal of the token is asked for again with a new one', async () => {
    let isFirst = true
    const refusal = { success: false, error: 'The token has expired.', content: rows() }
    const service = await openService(() => {
      const json = isFirst ? refusal : rows()
      isFirst = false
      return { json }
    })
    expect(await listed(service.client)).toMatchObject({ cases: { length: MANY } })
    expect(tokensSeen(service)).toEqual([undefined, 'Bearer t1', undefined, 'Bearer t2'])
  })

  it('that is another refusal is stated in its words', async () => {
    const { client } = await openService(() => ({
      json: { success: false, error: 'The archive is being rebuilt.', content: rows() },
    }))
    expect(await client.listCases()).toMatchObject({
      ok: false,
      failure: { kind: 'serviceRefused', serviceSaid: 'The archive is being rebuilt.' },
    })
  })
})

/** A client for which long pages are read in this way. */
async function withReader(read: ReadLongPage, answer: () => Answer) {
  const server = await openHttpServer(({ path }) =>
    path.endsWith('/authorize') ? { json: { access_token: 't1', expires_in: 3_600 } } : answer(),
  )
  const logger = createRecordingLogger()
  const client = openClient({ baseUrl: server.origin, logger, readLongPage: read })
  return { server, logger, client }
}

/** Reads so many pages, and no more. */
function readerOf(pages: number): ReadLongPage {
  let read = 0
  return (...page) => (++read > pages ? Promise.reject(new Error('one more')) : readLongPage(...page))
}

describe('the same bytes', () => {
  it('are read once, whatever came between', async () => {
    const { client } = await withReader(readerOf(1), () => ({ json: rows() }))
    const [first, second] = [await listed(client), await listed(client)]
    expect(second).toEqual(first)
    expect(second.cases.every((one, index) => one === first.cases[index])).toBe(true)
  })

  it('but for one case leave the others as they are known', async () => {
    let state = 'pending'
    const { client } = await openService(() => ({
      json: rows().map((row) => (row['id'] === 300 ? { ...row, state } : row)),
    }))
    const first = await listed(client)
    state = 'reported'
    const second = await listed(client)
    expect(second.cases.map((one, index) => one === first.cases[index]).indexOf(false)).toBe(299)
    expect(second.cases.filter((one, index) => one !== first.cases[index])).toMatchObject([
      { caseId: '300', state: 'reported' },
    ])
  })

  it('of an earlier state of the list are remembered no more', async () => {
    const pages = [rows(), rows(MANY + 1), rows()]
    const { client } = await withReader(readerOf(2), () => ({ json: pages.shift() }))
    for (const count of [MANY, MANY + 1]) expect((await listed(client)).cases).toHaveLength(count)
    // It would be read once more, and two are read.
    expect(await client.listCases()).toMatchObject({ ok: false })
  })

  it('as an error say what an error says', async () => {
    let status = 200
    const { client } = await openService(() => ({ status, json: rows() }))
    await listed(client)
    status = 500
    expect(await client.listCases()).toMatchObject({ ok: false, failure: { kind: 'notAnswering', status } })
  })
})

describe('a process that reads a long page', () => {
  it('and ends has read no list, and the next list is read by another', async () => {
    const { client, logger } = await withReader(readerOf(0), () => ({ json: rows() }))
    for (let round = 0; round < 2; round += 1)
      expect(await client.listCases()).toMatchObject({
        ok: false,
        failure: { kind: 'answerUnreadable', status: 200 },
      })
    expect(logger.errors()).toEqual(Array(2).fill('a list of cases could not be read'))
  })

  it('is the real one, and says the same', async () => {
    const { startProcess, workers, logger } = stationPorts()
    const reader = openReaderProcesses({ programs: workers, startProcess, lanes: 0, logger })
    onTestFinished(() => reader.close())
    const { client } = await withReader(reader.readCaseList, () => ({ json: rows() }))
    await client.authorise({ isFresh: true })
    const expected = await listedAtOnce({ json: rows() })
    // Nowhere read in one piece by the station.
    const parse = vi.spyOn(JSON, 'parse')
    try {
      expect(await listed(client)).toEqual(expected)
      expect(Math.max(...parse.mock.calls.map(([text]) => text.length))).toBeLessThan(2_000)
    } finally {
      parse.mockRestore()
    }
  })

  /** Never answers; `asked` once it was asked. */
  function silent() {
    const { promise: asked, resolve } = Promise.withResolvers<void>()
    const read: ReadLongPage = () => {
      resolve()
      return new Promise(() => undefined)
    }
    return { asked, read }
  }

  it.each([
    ['is not wanted any more', (_client: ServiceClient, stop: AbortController) => stop.abort()],
    ['is asked by a client that closes', (client: ServiceClient) => void client.close()],
  ])('is not waited for if it %s', async (_what, end) => {
    const { asked, read } = silent()
    const { client, logger } = await withReader(read, () => ({ json: rows() }))
    const stop = new AbortController()
    const listing = client.listCases(stop.signal)
    await asked
    end(client, stop)
    expect(await listing).toMatchObject({ ok: false, failure: { kind: 'interrupted' } })
    expect(logger.errors()).toEqual([])
  })
})

it('a short list needs no process', async () => {
  const { client } = await withReader(readerOf(0), () => ({ json: rows(3) }))
  expect(await listed(client)).toMatchObject({ cases: { length: 3 } })
})

it('asks for a list once, however it is read', async () => {
  const service = await openService(() => ({ json: rows() }))
  await listed(service.client)
  expect(paths(service)).toEqual(['POST /eye/api/authorize', 'GET /eye/api/cases'])
})
