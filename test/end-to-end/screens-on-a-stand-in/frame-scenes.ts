/** What stands around every screen, and what it shows in trouble. */
import { failureOf } from '../../../src-shared/failure.ts'
import type { Scene } from './scene.ts'

export const FRAME_SCENES: readonly Scene[] = [
  {
    name: 'menu-centers',
    hash: '#/queue',
    prepare: (page, _standIn, say) =>
      page
        .getByRole('banner')
        .getByRole('button', { name: new RegExp(`^${say('shell:center.label')}`) })
        .click(),
  },
  {
    name: 'menu-language',
    hash: '#/queue',
    prepare: (page, _standIn, say) =>
      page.getByRole('button', { name: new RegExp(`^${say('shell:language.label')}: `) }).click(),
  },
  {
    name: 'menu-pause',
    hash: '#/queue',
    prepare: (page, _standIn, say) => page.getByRole('button', { name: say('shell:pause.pause') }).click(),
  },
  {
    name: 'keys',
    hash: '#/queue',
    prepare: async (page, _standIn, say) => {
      await page.keyboard.press('F1')
      await page.getByRole('dialog', { name: say('shell:keys.title') }).waitFor()
    },
  },
  { name: 'help', hash: '#/help' },
  {
    name: 'help-diagnostics',
    hash: '#/help',
    isAlone: true,
    prepare: async (page, _standIn, say) => {
      await page.getByRole('button', { name: say('help:diagnostics.make') }).click()
      await page.getByRole('button', { name: say('help:diagnostics.again') }).waitFor()
    },
  },
  {
    name: 'lost-link',
    hash: '#/queue',
    isAlone: true,
    prepare: async (page, _standIn, say) => {
      await page.context().setOffline(true)
      await page.getByText(say('shell:banner.lost.title')).first().waitFor()
    },
  },
  {
    name: 'unreadable-answer',
    hash: '#/queue',
    isAlone: true,
    prepare: async (page, standIn, say) => {
      standIn.answerWith('submissions.list', async () => ({ ok: true, value: { nonsense: true } }) as never)
      standIn.skipRevisions(1)
      standIn.changeStatus({})
      await page
        .getByRole('button', { name: say('queue:tryAgain') })
        .first()
        .waitFor()
    },
  },
  {
    name: 'service-away',
    hash: '#/queue',
    isAlone: true,
    prepare: async (_page, standIn) =>
      standIn.changeStatus({
        service: {
          health: 'trouble',
          since: Date.now(),
          failure: failureOf('offline'),
          nextTryAt: Date.now() + 60_000,
          lastSuccessAt: null,
        },
      }),
  },
  {
    name: 'not-drawn',
    hash: '#/queue',
    isAlone: true,
    prepare: async (page, _standIn, say) => {
      await page.route('**/assets/activity-screen*.js', (route) =>
        route.fulfill({
          contentType: 'text/javascript',
          body: 'throw new TypeError("nothing of this can be drawn")',
        }),
      )
      await page.evaluate(() => {
        window.location.hash = '#/activity'
      })
      await page.getByText(say('shell:crash.title')).waitFor()
    },
  },
  {
    name: 'not-drawn-diagnostics',
    hash: '#/queue',
    isAlone: true,
    prepare: async (page, standIn, say) => {
      await FRAME_SCENES.find(({ name }) => name === 'not-drawn')?.prepare?.(page, standIn, say)
      await page.getByRole('button', { name: say('shell:crash.diagnostics') }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
]
