/** The queue: opened rows, selections, several centers, hidden names, and what opens over it. */
import type { Page } from 'playwright-core'
import { HALF_WAY, stall } from './half-way.ts'
import type { Scene } from './scene.ts'
import type { StandIn } from './stand-in-station.ts'
import { syntheticAlarms } from './synthetic-alarms.ts'
import type { Say } from './words-of.ts'

function inTwoCenters(standIn: StandIn): void {
  for (const id of ['s5', 's8', 's10']) standIn.changeSubmission(id, { centerId: '102' })
  standIn.changeSubmission('s11', { centerId: '205' })
}

async function select(page: Page, say: Say, ...numbers: readonly string[]): Promise<void> {
  for (const who of numbers) await page.getByRole('checkbox', { name: say('queue:select', { who }) }).check()
}

const toggleOf = (page: Page, say: Say, who: string) =>
  page.getByRole('button', { name: say('queue:expand', { who }) })

export const QUEUE_SCENES: readonly Scene[] = [
  { name: 'queue', hash: '#/queue' },
  {
    name: 'queue-filtered',
    hash: '#/queue',
    prepare: (page, _standIn, say) =>
      page
        .getByRole('group', { name: say('queue:counters') })
        .getByText(say('queue:filter.sent.name'), { exact: true })
        .click(),
  },
  {
    name: 'queue-nothing-found',
    hash: '#/queue',
    prepare: async (page, _standIn, say) => {
      await page.getByRole('searchbox', { name: say('queue:search') }).fill('zzz')
      await page.getByText(say('queue:empty.search.title')).waitFor()
    },
  },
  {
    name: 'queue-expanded',
    hash: '#/queue',
    isAlone: true,
    prepare: async (page, standIn, say) => {
      inTwoCenters(standIn)
      await toggleOf(page, say, 'H-00401').click()
      await toggleOf(page, say, '20261121').click()
    },
  },
  {
    name: 'queue-retrying',
    hash: '#/queue',
    prepare: async (page, _standIn, say) => {
      const toggle = toggleOf(page, say, 'H-00408')
      await toggle.click()
      await toggle.evaluate((button) => button.scrollIntoView({ block: 'start' }))
    },
  },
  {
    name: 'queue-hidden-names',
    hash: '#/queue',
    isAlone: true,
    prepare: (page, _standIn, say) => page.getByRole('button', { name: say('privacy:label') }).click(),
  },
  {
    name: 'queue-all',
    hash: '#/queue',
    prepare: (page, _standIn, say) => page.getByRole('checkbox', { name: say('queue:selectAll') }).check(),
  },
  {
    name: 'queue-selected',
    hash: '#/queue',
    prepare: async (page, _standIn, say) => {
      await select(page, say, 'H-00398', 'H-00412', 'H-00415')
      await page.getByRole('button', { name: say('queue:leftAside.show') }).click()
    },
  },
  {
    name: 'queue-row-menu',
    hash: '#/queue',
    prepare: (page, _standIn, say) =>
      page.getByRole('button', { name: say('queue:more', { who: 'H-00412' }) }).click(),
  },
  {
    name: 'merge',
    hash: '#/queue',
    prepare: async (page, _standIn, say) => {
      await select(page, say, 'H-00412', 'H-00415', 'H-00420')
      await page.getByRole('button', { name: say('queue:merge.name') }).click()
    },
  },
  {
    name: 'move-center',
    hash: '#/queue',
    prepare: async (page, _standIn, say) => {
      await select(page, say, 'H-00412', 'H-00415')
      await page.getByRole('button', { name: say('queue:action.moveToCenter.name') }).click()
      await page.getByRole('combobox', { name: say('decision:moveToCenter.to') }).selectOption('102')
    },
  },
  {
    name: 'ageing',
    hash: '#/queue',
    prepare: (page, _standIn, say) =>
      page
        .getByRole('button', { name: say('ageing:button', { count: 0 }).replace(/\d+/, '').trim() })
        .click(),
  },
  {
    name: 'alarms',
    hash: '#/queue',
    isAlone: true,
    prepare: async (page, standIn, say) => {
      standIn.changeStatus({ alarms: syntheticAlarms(Date.now()) })
      await page
        .getByTestId('banner')
        .getByRole('button', { name: say('shell:banner.alarm.action') })
        .click()
      await page.getByRole('dialog', { name: say('alarm:title') }).waitFor()
    },
  },
  {
    name: 'alarm-banner',
    hash: '#/queue',
    isAlone: true,
    prepare: async (_page, standIn) => standIn.changeStatus({ alarms: syntheticAlarms(Date.now()) }),
  },
  {
    name: 'paused',
    hash: '#/queue',
    isAlone: true,
    prepare: async (page, standIn, say) => {
      standIn.changeStatus({ mode: { kind: 'paused', why: 'person', until: null } })
      await page.getByText(say('shell:banner.paused.title')).first().waitFor()
    },
  },
  {
    name: 'safe-mode',
    hash: '#/queue',
    isAlone: true,
    prepare: async (page, standIn, say) => {
      standIn.changeStatus({ mode: { kind: 'paused', why: 'safeMode', until: null } })
      await page.getByText(say('shell:banner.safeMode.title')).first().waitFor()
    },
  },
  {
    name: 'sending-half-way',
    hash: '#/queue',
    prepare: async (_page, standIn) => standIn.tell('deliveryProgressed', HALF_WAY),
  },
  { name: 'stalled', hash: '#/queue', isAlone: true, prepare: async (_page, standIn) => stall(standIn) },
]
