/** The cases of the service, the reports, the centers and the activity. */
import { fail, failureOf, succeed } from '../../../src-shared/failure.ts'
import type { Scene } from './scene.ts'
import { STAND_IN_CENTERS } from './stand-in-status.ts'
import { syntheticAlarms } from './synthetic-alarms.ts'

const MANY_CENTERS = [
  ...STAND_IN_CENTERS,
  ...Array.from({ length: 24 }, (_nothing, index) => ({
    centerId: String(300 + index),
    name: `Synthetic Clinic ${index + 1}`,
    isCurrent: false,
  })),
]

export const REPORT_SCENES: readonly Scene[] = [
  { name: 'cases', hash: '#/cases' },
  {
    name: 'cases-filtered',
    hash: '#/cases',
    isAlone: true,
    prepare: async (page, standIn, say) => {
      standIn.changeStatus({
        alarms: syntheticAlarms(Date.now()).map((one) => ({ ...one, caseIds: ['88391'] })),
      })
      await page.getByText(say('case:days.yesterday')).click()
      await page.getByRole('combobox', { name: say('case:columns.state') }).selectOption({ index: 1 })
    },
  },
  {
    name: 'cases-none',
    hash: '#/cases',
    prepare: (page) => page.getByRole('searchbox').fill('nobody'),
  },
  { name: 'case-details', hash: '#/cases/88391' },
  { name: 'reports', hash: '#/reports' },
  {
    name: 'reports-awaited',
    hash: '#/reports/88405',
    prepare: (page, _standIn, say) =>
      page.getByText(say('report:view.awaited', { count: 0 }).replace(/\s*\(.*/, '')).click(),
  },
  {
    name: 'report-pdf',
    hash: '#/reports/88390',
    prepare: (page) => page.getByText('Practice report').first().waitFor({ state: 'attached' }),
  },
  {
    name: 'report-older',
    hash: '#/reports/88390',
    prepare: (page, _standIn, say) =>
      page.getByRole('combobox', { name: say('report:version') }).selectOption({ index: 1 }),
  },
  { name: 'report-json', hash: '#/reports/88391' },
  { name: 'report-html', hash: '#/reports/88395' },
  { name: 'report-text', hash: '#/reports/88401' },
  { name: 'report-image', hash: '#/reports/88402' },
  {
    name: 'report-link',
    hash: '#/reports/88403',
    prepare: (page, _standIn, say) => page.getByRole('button', { name: say('report:link.open') }).click(),
  },
  { name: 'report-none', hash: '#/reports/88405' },
  {
    name: 'report-on-paper',
    hash: '#/reports/88391',
    isAlone: true,
    isOnPaper: true,
    prepare: async (page, _standIn, say) => {
      await page.evaluate(() => {
        window.print = () => undefined
      })
      await page.getByRole('button', { name: say('report:print') }).click()
      await page.emulateMedia({ media: 'print' })
    },
  },
  {
    name: 'center-menu',
    hash: '#/queue',
    isAlone: true,
    prepare: async (page, standIn, say) => {
      standIn.answerWith('centers.list', async () =>
        succeed({ items: MANY_CENTERS, centerId: '999', waiting: [{ centerId: '101', count: 12 }] }),
      )
      standIn.changeStatus({ centerId: '999' })
      await page.getByRole('button', { name: new RegExp(`^${say('shell:center.label')}`) }).click()
    },
  },
  {
    name: 'center-dialog',
    hash: '#/queue',
    isAlone: true,
    prepare: async (page, standIn, say) => {
      standIn.answerWith('centers.change', async () => fail(failureOf('notAnswering')))
      await page.getByRole('button', { name: new RegExp(`^${say('shell:center.label')}`) }).click()
      await page.getByRole('menuitem', { name: /Harbour/ }).click()
      await page.getByRole('button', { name: say('shell:center.confirm') }).click()
    },
  },
  { name: 'activity', hash: '#/activity' },
  { name: 'activity-of-case', hash: '#/activity/s2' },
  {
    name: 'activity-day',
    hash: '#/activity',
    prepare: async (page, _standIn, say) => {
      await page.getByText(say('activity:chart.lastDays', { count: 30 })).click()
      await page.getByRole('slider').focus()
      await page.keyboard.press('ArrowLeft')
    },
  },
]
