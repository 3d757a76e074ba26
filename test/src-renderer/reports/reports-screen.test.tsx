import { it } from 'vitest'
import type { ReportVersion } from '../../../src-shared/report.ts'
import { click, find, openWindow, shows, type } from '../open-window.tsx'

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
  await click('button', 'Show the newest')
  await shows('Other words')
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
