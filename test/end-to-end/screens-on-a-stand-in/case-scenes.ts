/** One case in every state, and what opens over it. */
import type { Page } from 'playwright-core'
import { HALF_WAY, stall } from './half-way.ts'
import type { Scene } from './scene.ts'
import type { StandIn } from './stand-in-station.ts'
import { doubtfulDelivery } from './synthetic-alarms.ts'
import type { Say } from './words-of.ts'

function removeImages(standIn: StandIn): void {
  const images = standIn.submissions.get('s30')?.images ?? []
  standIn.changeSubmission('s30', {
    images: images.map((image) => ({ ...image, removedAt: Date.UTC(2026, 10, 3) })),
  })
}

const button = (page: Page, name: string) => page.getByRole('button', { name }).first()

const choose = (page: Page, say: Say) =>
  page.getByRole('checkbox', { name: say('submission:grouping.select', { what: 'OD_1.jpg' }) }).check()

const enlarge = (page: Page, say: Say, what = 'OD_1.jpg') =>
  button(page, say('submission:images.open', { what })).click()

/** The viewer has a dialog of its own, whose pictures come a moment later. */
async function view(page: Page, say: Say): Promise<void> {
  await enlarge(page, say)
  await page.getByText(say('viewer:loading')).waitFor({ state: 'detached' })
  await page.locator('.openseadragon-canvas canvas, [role="dialog"] canvas').first().waitFor()
}

export const CASE_SCENES: readonly Scene[] = [
  { name: 'incomplete', hash: '#/queue/s3' },
  { name: 'incomplete-eyes', hash: '#/queue/s4' },
  { name: 'review', hash: '#/queue/s5' },
  { name: 'review-other', hash: '#/queue/s6' },
  { name: 'unconfirmed', hash: '#/queue/s2' },
  { name: 'refused', hash: '#/queue/s1' },
  { name: 'retrying', hash: '#/queue/s8' },
  { name: 'sent', hash: '#/queue/s30' },
  { name: 'doubtful', hash: '#/queue/s13' },
  {
    name: 'wrong-value',
    hash: '#/queue/s6',
    isAlone: true,
    prepare: (page) => page.locator('#field-od_iop').fill('300'),
  },
  { name: 'viewer', hash: '#/queue/s5', prepare: (page, _standIn, say) => view(page, say) },
  {
    name: 'viewer-beside',
    hash: '#/queue/s5',
    prepare: async (page, _standIn, say) => {
      await view(page, say)
      await page.getByRole('button', { name: say('viewer:tools.beside') }).click()
      await page.waitForTimeout(400)
    },
  },
  {
    name: 'viewer-earlier',
    hash: '#/queue/s5',
    prepare: async (page, _standIn, say) => {
      await view(page, say)
      await page.getByRole('button', { name: say('viewer:tools.earlier') }).click()
      await page.getByText(say('viewer:noEarlier.reading')).waitFor({ state: 'detached' })
    },
  },
  {
    name: 'leave-out',
    hash: '#/queue/s5',
    prepare: (page, _standIn, say) =>
      button(page, say('submission:images.excludeWhat', { what: 'OD_1.jpg' })).click(),
  },
  {
    name: 'no-image',
    hash: '#/queue/s13',
    prepare: (page, _standIn, say) =>
      page
        .getByRole('button', { name: say('submission:noImage.askFor', { eye: '' }).trim() })
        .last()
        .click(),
  },
  { name: 'chosen', hash: '#/queue/s5', prepare: (page, _standIn, say) => choose(page, say) },
  {
    name: 'split',
    hash: '#/queue/s13',
    prepare: async (page, _standIn, say) => {
      await choose(page, say)
      await button(page, say('submission:grouping.split', { count: 1 })).click()
    },
  },
  {
    name: 'move',
    hash: '#/queue/s13',
    prepare: async (page, _standIn, say) => {
      await choose(page, say)
      await button(page, say('submission:grouping.move')).click()
      await page
        .getByRole('group', { name: say('submission:grouping.cases') })
        .getByRole('button', { name: /H-00412/ })
        .click()
    },
  },
  { name: 'sending', hash: '#/queue/s7', prepare: async (_page, standIn) => stall(standIn) },
  {
    name: 'sending-through',
    hash: '#/queue/s7',
    isAlone: true,
    prepare: async (_page, standIn) =>
      standIn.tell('deliveryProgressed', { ...HALF_WAY, handedOverBytes: HALF_WAY.requestBytes }),
  },
  {
    name: 'cancel',
    hash: '#/queue/s7',
    prepare: (page, _standIn, say) => button(page, say('submission:sending.cancel')).click(),
  },
  {
    name: 'discard',
    hash: '#/queue/s2',
    prepare: async (page, _standIn, say) => {
      await button(page, say('submission:more')).click()
      await page.getByRole('menuitem', { name: say('queue:action.discard.name') }).click()
    },
  },
  {
    name: 'discard-unsigned',
    hash: '#/queue/s2',
    prepare: async (page, _standIn, say) => {
      await button(page, say('submission:more')).click()
      await page.getByRole('menuitem', { name: say('queue:action.discard.name') }).click()
      await page
        .getByRole('dialog')
        .getByRole('button', { name: say('decision:discard.action') })
        .click()
    },
  },
  {
    name: 'unconfirmed-doubts',
    hash: '#/queue/s2',
    isAlone: true,
    prepare: async (_page, standIn) => standIn.changeSubmission('s2', doubtfulDelivery(Date.now())),
  },
  {
    name: 'decision',
    hash: '#/queue/s2',
    isAlone: true,
    prepare: async (page, standIn, say) => {
      standIn.changeSubmission('s2', doubtfulDelivery(Date.now()))
      await button(page, say('submission:decision.absent.action')).click()
    },
  },
  {
    name: 'answer',
    hash: '#/queue/s2',
    prepare: (page, _standIn, say) => button(page, say('submission:attempts.answer')).click(),
  },
  {
    name: 'removed',
    hash: '#/queue/s30',
    isAlone: true,
    prepare: async (_page, standIn) => removeImages(standIn),
  },
  {
    name: 'removed-viewer',
    hash: '#/queue/s30',
    isAlone: true,
    prepare: async (page, standIn, say) => {
      removeImages(standIn)
      await enlarge(page, say, '')
    },
  },
]
