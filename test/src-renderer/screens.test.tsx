import { expect, it, vi } from 'vitest'
import { writeInitials } from '../../src-renderer/decisions/decisions.tsx'
import type { OverdueItem } from '../../src-shared/alarms.ts'
import type { NamedEntry } from '../../src-shared/alarms.ts'
import type { ReportSummary, ReportVersion } from '../../src-shared/report.ts'
import { all, type Answers, click, find, openWindow, press, SETTINGS, shows, type } from './open-window.tsx'
import {
  countsOf,
  detailsOf,
  listedCase,
  syntheticImage,
  syntheticStatus,
  syntheticSubmission,
} from './synthetic-submission.ts'

const entry = (id: number, rest: Partial<NamedEntry> = {}): NamedEntry => ({
  id,
  at: Date.UTC(2026, 10, 20, 9) + id,
  submissionId: null,
  reference: null,
  what: 'imageArrived',
  by: null,
  details: { images: 1 },
  names: {},
  ...rest,
})
const DISCARDED = entry(200, {
  what: 'discarded',
  by: 'QX',
  details: { from: 'review', to: 'discarded', why: 'Test images' },
})
const TRAIL: Answers = {
  'audit.list': ({ limit = 100, by, until }) => {
    const newest = [DISCARDED, ...Array.from({ length: 138 }, (_none, index) => entry(199 - index))]
    const left = newest.filter(
      (one) => (by === undefined || one.by === by) && (until === undefined || one.at < until),
    )
    return { items: left.slice(0, limit) }
  },
  'audit.export': () => ({ fileName: 'activity.csv', csv: 'at,what\r\n', entries: 1 }),
}

it('the activity shows what happened, by whom and why, goes on by pages, and is narrowed', async () => {
  const { inputsOf } = openWindow('#/activity', TRAIL)
  await shows('Reason: Test images')
  const rows = () => document.querySelectorAll('tr[data-entry]').length
  await vi.waitFor(() => expect(rows()).toBe(100))
  await click('button', 'Show older')
  await vi.waitFor(() => expect(rows()).toBe(139))
  expect(all('button', 'Show older')).toEqual([])
  await type('textbox', 'Who', 'QX')
  await vi.waitFor(() => expect(rows()).toBe(1))
  await click('button', 'Clear filters')
  await vi.waitFor(() => expect(rows()).toBe(100))
  await type('textbox', 'Who', 'QX')
  await click('button', 'Save as CSV')
  await vi.waitFor(() => expect(inputsOf('audit.export')).toMatchObject([{ by: 'QX' }]))
})

it('the activity of one case asks for it by its reference, until a person clears that', async () => {
  const own = entry(1, { submissionId: 's1', reference: 'FC7K3M9QXAW', by: 'QX' })
  const { inputsOf } = openWindow('#/activity/FC7K3M9QXAW', { 'audit.list': { items: [own] } })
  await find('link', /FC7K3M9QXAW/, await find('table'))
  expect(inputsOf('audit.list')).toEqual([{ reference: 'FC7K3M9QXAW', limit: 100 }])
  await click('button', 'Clear filters')
  await vi.waitFor(() => expect(inputsOf('audit.list').at(-1)).toEqual({ limit: 100 }))
})

it('the help explains every state, and F1 shows the keys of the screen and those of all', async () => {
  openWindow('#/help')
  const states = await find('region', 'Case status')
  expect(states.querySelectorAll('[data-state]')).toHaveLength(11)
  const keysOf = async (hash: string, heading: string) => {
    window.location.hash = hash
    window.dispatchEvent(new Event('hashchange'))
    await find('heading', heading)
    press('F1', document.documentElement)
    const keys = await find('dialog', 'Keyboard')
    await shows('Close', keys)
    const groups = all('heading', undefined, keys).map(({ textContent }) => textContent)
    await click('button', 'Close', keys)
    await vi.waitFor(() => expect(all('dialog', 'Keyboard')).toEqual([]))
    return groups.filter((group) => group !== 'Keyboard')
  }
  expect(await keysOf('#/help', 'Help')).toEqual(['Everywhere'])
  expect(await keysOf('#/queue', 'Queue')).toEqual(['In the queue', 'Everywhere'])
  expect(await keysOf('#/reports', 'Reports')).toEqual([
    'In the reports',
    'In the image viewer',
    'Everywhere',
  ])
})

const version = (id: string, text: string, fetchedAt: number): ReportVersion => ({
  id,
  kind: 'text',
  contentType: 'text/plain',
  sizeBytes: 5,
  sha256: id,
  fetchedAt,
  text,
})
const line = (submissionId: string) =>
  ({
    caseId: '9',
    submissionId,
    reference: 'FC7K3M9QXAW',
    historyNumber: `H-${submissionId}`,
    patientName: null,
    visitDate: null,
    urgency: 'routine',
    kind: 'text',
    versionCount: 1,
    fetchedAt: 1,
    readAt: 1,
    done: null,
  }) as const

it('a report is read in each of its versions, and is not taken away by one that comes meanwhile', async () => {
  const versions = [version('v1', 'The first words', 1_000)]
  const { emit } = openWindow('#/reports/9/s1', {
    'reports.list': { items: [line('s1')], awaiting: 0 },
    'reports.get': ({ caseId }) => ({ caseId, submissionId: 's1', versions: [...versions] }),
    'reports.markRead': {},
  })
  await shows('The first words')
  versions.unshift(version('v2', 'Other words', 2_000))
  emit('reportArrived', { caseId: '9', submissionId: 's1' })
  await shows(/A newer version has come meanwhile: version 2/)
  await shows('The first words')
  const newest = await find('button', 'Show the newest')
  newest.focus()
  newest.click()
  await shows('Other words')
  await vi.waitFor(() => expect(document.activeElement).toBe(all('region', 'Case 9')[0]))
  await type(
    'combobox',
    'Version',
    (await find('combobox', 'Version')).querySelectorAll('option')[1]?.text ?? '',
  )
  await shows(/This is an older version\. Version 2 came/)
})

it('a report of a case id that two centers gave stands under the name of its own patient', async () => {
  openWindow('#/reports/9', {
    'reports.list': { items: [line('s1'), line('s2')], awaiting: 0 },
    'reports.get': ({ caseId, submissionId = 's2' }) => ({
      caseId,
      submissionId,
      versions: [version(submissionId, `of ${submissionId}`, 1)],
    }),
    'reports.markRead': {},
  })
  const report = await find('article', 'Case 9')
  await shows('of s2', report)
  await find('heading', /^H-s2/, report)
  await click('link', /H-s1/)
  await shows('of s1', await find('article', 'Case 9'))
  await find('heading', /^H-s1/, await find('article', 'Case 9'))
})

it('a report is a result: its row and its page have the findings and the urgency, and keys go through the unread ones', async () => {
  const saying: Readonly<Record<string, Partial<ReportVersion>>> = {
    s1: { text: 'OD: No DR\nOS: Moderate NPDR\nRefer within 3 months.' },
    s2: { kind: 'json', json: { id: 62, od_diagnosis: 'AMD', od_quality: 'fair', grader: 'Q-7' } },
    s3: { text: 'Nothing to read from' },
  }
  const readAt: Record<string, number | null> = { s1: null, s2: null, s3: null }
  const { inputsOf } = openWindow('#/reports', {
    'reports.list': () => ({
      items: Object.keys(readAt).map((id, index) => ({
        ...line(id),
        caseId: id,
        kind: saying[id]?.kind ?? 'text',
        fetchedAt: 9 - index,
        readAt: readAt[id] ?? null,
        versionCount: id === 's2' ? 2 : 1,
      })),
      awaiting: 0,
    }),
    'reports.get': ({ caseId }) => ({
      caseId,
      submissionId: caseId,
      versions: [{ ...version(caseId, '', 1), ...saying[caseId] }],
    }),
    'reports.markRead': ({ caseId, isRead = true }) => {
      readAt[caseId] = isRead ? 2 : null
      return {}
    },
    // What an answer about another case would show is another patient's.
    'submissions.get': ({ id }) =>
      detailsOf(syntheticSubmission(id === 's2' ? 's1' : id, { images: [syntheticImage('i1', 'left')] })),
  })
  const row = await find('link', /H-s1/)
  await shows(/OD No DR\s*OS Moderate NPDR\s*3 months/, row)
  await shows(/OD AMD\s*2 versions/, await find('link', /H-s2/))
  const other = await find('link', /H-s3/)
  await shows(/H-s3.*Text/, other)
  expect(other.textContent).not.toMatch(/not known/)

  press('n', await find('searchbox'))
  expect(document.activeElement).toBe(await find('heading', 'Reports'))
  press('n', document.querySelector('input[type="radio"]') ?? document.body)
  window.dispatchEvent(new Event('hashchange'))
  expect(document.activeElement).toBe(row)
  const first = await find('article', 'Case s1')
  await shows(/Refer within 3 months.*OD No DR.*OS Moderate NPDR.*Refer within 3 months\./s, first)
  expect((await find('button', /i1/, first)).closest('div')?.textContent).toContain('OS')
  await vi.waitFor(() => expect(readAt['s1']).not.toBeNull())
  await vi.waitFor(() => expect(all('img', 'Unread', row)).toEqual([]))
  press('u')
  await find('button', 'Mark read', first)
  await find('img', 'Unread', row)

  press('ArrowDown', row)
  window.dispatchEvent(new Event('hashchange'))
  const second = await find('article', 'Case s2')
  await shows(/OD AMD.*Quality.*fair.*OS.*Grader.*Q-7.*Case s2.*Id 62/s, second)
  await shows('The images of this case are not on this station.', second)
  await vi.waitFor(() => expect(readAt['s2']).not.toBeNull())
  press('n')
  window.dispatchEvent(new Event('hashchange'))
  await find('article', 'Case s3')
  // From the last one it goes on at the top, to the one that was left unread.
  await vi.waitFor(() => expect(readAt['s3']).not.toBeNull())
  expect(inputsOf('reports.markRead').map((one) => JSON.stringify(one).match(/s\d/)?.[0])).toEqual([
    's1',
    's1',
    's2',
    's3',
  ])
  press('n')
  window.dispatchEvent(new Event('hashchange'))
  await find('article', 'Case s1')
  await vi.waitFor(() => expect(all('button', 'Next unread')).toEqual([]))
})

it('a report asks what was done, with initials, if the clinic wants that, and takes it back', async () => {
  let done: ReportSummary['done'] = null
  const { inputsOf } = openWindow('#/reports/9/s1', {
    'settings.get': { ...SETTINGS, reports: { ...SETTINGS.reports, askWhatWasDone: 'on' } },
    'reports.list': () => ({ items: [{ ...line('s1'), done }], awaiting: 0 }),
    'reports.get': { caseId: '9', submissionId: 's1', versions: [version('v1', 'No DR', 1_000)] },
    'reports.markDone': ({ what, by }) => {
      done = what && { what, by, at: 1 }
      return {}
    },
  })
  await find('heading', 'To do')
  const asked = await find('group', 'What was done?')
  await click('button', 'Patient referred', asked)
  await shows('Enter your initials.', asked)
  expect(inputsOf('reports.markDone')).toEqual([])
  await type('textbox', 'Your initials', 'AB')
  await click('button', 'Patient referred', asked)
  await shows(/Patient referred · AB/, asked)
  expect(all('heading', 'To do')).toEqual([])
  await click('button', 'Undo', asked)
  await find('button', 'Nothing to do', asked)
  writeInitials('CD')
  await click('button', 'Nothing to do', asked)
  await shows(/Nothing to do · CD/, asked)
  expect(inputsOf('reports.markDone')).toMatchObject([
    { what: 'patientReferred', by: 'AB', version: 'v1' },
    { what: null },
    { what: 'nothingToDo', by: 'CD' },
  ])
})

const item = (submissionId: string, kind: OverdueItem['kind']): OverdueItem => ({
  kind,
  submissionId,
  reference: 'FC7K3M9QXAW',
  state: 'held',
  since: 1_000,
  message: 'It waits.',
})

it('what waits too long is counted, by kind, and opened', async () => {
  const held = syntheticSubmission('s1', { state: 'held', fields: { history_number: 'H-00377' } })
  openWindow('#/queue', {
    'submissions.list': { items: [held], total: 1, counts: countsOf({ held: 1 }) },
    'submissions.ageing': {
      items: [item('s1', 'notSent'), item('s2', 'noReport'), item('s3', 'notSent')],
      count: 3,
    },
  })
  await click('button', '3 waiting too long')
  const notSent = await find('region', 'Not sent')
  await shows('Not sent 2', notSent)
  await find('region', 'No report')
  await click('link', undefined, notSent)
  await vi.waitFor(() => expect(window.location.hash).toBe('#/queue/s1'))
})

it('no overdue case is reported if there is none', async () => {
  const { inputsOf } = openWindow('#/queue')
  await vi.waitFor(() => expect(inputsOf('submissions.ageing').length).toBeGreaterThan(0))
  expect(all('button', /waiting too long/)).toEqual([])
})

it('the list of the service is the table of the queue, and its rows lead to all that the service says', async () => {
  const ours = listedCase('88391', {
    state: 'EN_REVISION',
    historyNumber: 'H-00351',
    createdAt: '2026-11-20T08:00:00Z',
    submissionId: 's1',
    reference: 'FC7K3M9QXAW',
    hasReport: true,
    raw: { grader: 'Q-7' },
  })
  openWindow('#/cases', {
    'cases.list': { items: [listedCase('88400'), ours], centerId: '101', readAt: 1 },
    'cases.get': ours,
    'station.status': syntheticStatus({
      alarms: [
        {
          id: 'a1',
          kind: 'imagesMissing',
          submissionId: 's1',
          reference: 'FC7K3M9QXAW',
          caseIds: ['88391'],
          message: 'Fewer images than were sent.',
          raisedAt: 1,
        },
      ],
    }),
  })
  const table = await find('table', 'Cases at the service')
  await vi.waitFor(() =>
    expect(all('row', /Case 88/, table).map((row) => /\d{5}/.exec(row.textContent)?.[0])).toEqual([
      '88391',
      '88400',
    ]),
  )
  const [row] = all('row', /88391/, table)
  if (!row) throw new Error('The table has no row of the case.')
  for (const text of ['EN_REVISION', 'H-00351', 'Alarm']) await shows(text, row)
  expect((await find('link', /^Open case FC7K3M9QXAW/, row)).getAttribute('href')).toBe('#/queue/s1')
  expect((await find('link', 'Report of case 88391', row)).getAttribute('href')).toBe('#/reports/88391/s1')
  await click('link', /^Details of case 88391/, row)
  const dialog = await find('dialog', 'Details of case 88391')
  for (const text of ['Q-7', 'Fewer images than were sent.']) await shows(text, dialog)
})
