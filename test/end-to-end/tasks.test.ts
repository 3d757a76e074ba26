/**
 * What people come for, done as somebody would who sees the screens for the first time: by what is written on them.
 *
 * Beside each task stands how many acts it may take. An act is a click, or a field that is filled in.
 */
import { expect, it } from 'vitest'
import { DAY } from '../../src-shared/durations.ts'
import { succeed } from '../../src-shared/failure.ts'
import { countedHands, type Hands } from './screens-on-a-stand-in/counted-hands.ts'
import { NEW_STATION } from './screens-on-a-stand-in/setup-scenes.ts'
import { setStage, type Stage } from './screens-on-a-stand-in/stage.ts'

const open = setStage()

type Task = {
  readonly name: string
  readonly acts: number
  readonly begin?: (stage: Stage) => Promise<void>
  readonly run: (hands: Hands, stage: Stage) => Promise<void>
}

const TASKS: readonly Task[] = [
  {
    name: 'set up a new station until the queue watches the folder of the camera',
    // Seven steps are left by seven buttons; four fields, one test and one choice are between them.
    acts: 13,
    begin: async ({ page, screens }) => {
      screens.standIn.changeSettings(NEW_STATION)
      await page.reload()
      await page.getByRole('heading', { name: 'Set-up' }).waitFor()
    },
    run: async (hands, { page, screens }) => {
      const goOn = () => hands.click(page.getByRole('button', { name: 'Continue' }))
      const heading = (name: string) => page.getByRole('heading', { name }).waitFor()
      await goOn()
      await hands.type(page.getByRole('textbox', { name: 'Folder' }), '/srv/camera/export')
      await page.getByText('1,240 files found').first().waitFor()
      await goOn()
      await heading('Where are cases sent?')
      await hands.type(page.getByRole('textbox', { name: 'Service address' }), 'https://cases.example/api')
      await hands.type(page.getByRole('textbox', { name: 'Client id' }), 'north')
      await hands.type(page.getByLabel('Client secret'), 'kept secret')
      await hands.click(page.getByRole('button', { name: 'Test connection' }))
      await page.getByText('Centers listed: passed').waitFor()
      await goOn()
      await heading('For which center are new cases made?')
      await hands.click(page.getByRole('radio', { name: 'Harbour Clinic' }))
      await goOn()
      await heading('How does the service take measurements?')
      await goOn()
      await heading('What may this computer do by itself?')
      await goOn()
      await heading('Watching')
      await hands.click(page.getByRole('button', { name: 'Open the queue' }))
      await page.getByRole('table', { name: 'Cases on this station' }).waitFor()
      const settings = await screens.standIn.station.handlers['settings.get']({})
      expect(settings).toMatchObject({
        value: {
          setup: 'done',
          centerId: '102',
          folders: [{ path: '/srv/camera/export' }],
          service: { baseUrl: 'https://cases.example/api' },
        },
      })
    },
  },
  {
    name: 'complete a case with an unknown eye and a missing day, and send it',
    acts: 4,
    run: async (hands, { page, screens, row }) => {
      await hands.click(row('20261121').getByRole('link', { name: /^Complete/ }))
      await page.getByText('Nothing states the eye').first().waitFor()
      await hands.click(page.getByRole('button', { name: /^IMG_3.jpg is the left eye/i }))
      await hands.type(page.getByLabel('Visit date'), '2026-11-20')
      await hands.click(page.getByRole('button', { name: 'Complete and approve' }))
      await page.getByRole('heading', { name: 'Queue' }).waitFor()
      expect(screens.standIn.submissions.get('s3')).toMatchObject({
        state: 'waiting',
        fields: { visit_date: '2026-11-20' },
      })
    },
  },
  {
    name: 'find out why a case failed, mend it and send it',
    acts: 3,
    run: async (hands, { page, screens, row }) => {
      // Why stands in the queue; nothing has to be opened to read it.
      await row('H-00398').getByText('The field gender is required.').waitFor()
      await hands.click(
        row('H-00398')
          .getByRole('link', { name: /^(Open|Complete)/ })
          .first(),
      )
      await hands.click(page.getByRole('radiogroup', { name: 'Gender' }).getByText('Female', { exact: true }))
      await hands.click(page.getByRole('button', { name: 'Send again' }))
      await expect.poll(() => screens.standIn.submissions.get('s1')?.state).toBe('waiting')
    },
  },
  {
    name: "find yesterday's report of a patient",
    acts: 3,
    begin: async ({ screens }) => {
      const { standIn } = screens
      const list = await standIn.station.handlers['reports.list']({})
      if (!list.ok) throw new Error('The stand-in lists no reports')
      const items = list.value.items.map((one, index) => ({
        ...one,
        fetchedAt: index === 2 ? Date.now() - DAY : one.fetchedAt,
      }))
      standIn.answerWith('reports.list', async ({ search }) =>
        succeed({
          ...list.value,
          items: items.filter((one) => (one.patientName ?? '').toLowerCase().includes(search ?? '')),
        }),
      )
    },
    run: async (hands, { page, screens }) => {
      const list = await screens.standIn.station.handlers['reports.list']({})
      const wanted = list.ok ? list.value.items[2] : undefined
      const lastName = wanted?.patientName?.split(',')[0] ?? ''
      await hands.click(page.getByRole('link', { name: /^Reports/ }))
      await hands.type(page.getByRole('searchbox'), lastName.toLowerCase())
      const inbox = page.getByRole('navigation', { name: 'Reports that have come' })
      await inbox.getByText('Yesterday').waitFor()
      await hands.click(inbox.getByRole('link', { name: new RegExp(wanted?.historyNumber ?? '') }))
      await page.getByRole('heading', { name: new RegExp(lastName) }).waitFor()
    },
  },
  {
    name: 'switch to another center',
    acts: 3,
    run: async (hands, { page }) => {
      const header = page.getByRole('banner')
      await hands.click(header.getByRole('button', { name: /^Center/ }))
      await hands.click(page.getByRole('menuitem', { name: /Harbour/ }))
      await hands.click(page.getByRole('button', { name: 'Change center' }))
      await header.getByRole('button', { name: /Harbour Clinic/ }).waitFor()
    },
  },
]

it.for(TASKS)('$name in at most $acts acts', async (task, context) => {
  const stage = await open(context)
  await task.begin?.(stage)
  const hands = countedHands()
  await task.run(hands, stage)
  expect(hands.count()).toBeLessThanOrEqual(task.acts)
})
