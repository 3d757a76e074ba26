/** The set-up, step by step. */
import type { Page } from 'playwright-core'
import type { ShownSettings } from '../../../src-shared/settings.ts'
import type { Scene } from './scene.ts'
import { ENFORCED } from './settings-scenes.ts'
import type { StandIn } from './stand-in-station.ts'
import type { Say } from './words-of.ts'

/** A station that nobody has set up yet. */
export const NEW_STATION: Partial<ShownSettings> = {
  setup: 'open',
  service: null,
  folders: [],
  centerId: null,
}

/** Goes on from the first step to a later one, with nothing entered in between. */
async function begin(page: Page, standIn: StandIn, say: Say, steps: number): Promise<void> {
  standIn.changeSettings(NEW_STATION)
  await page.getByText(say('setup:language.title')).waitFor()
  for (let step = 0; step < steps; step += 1) await goOn(page, say, step + 2)
}

async function goOn(page: Page, say: Say, number: number): Promise<void> {
  const skip = page.getByRole('button', { name: say('setup:skip') })
  const next = page.getByRole('button', { name: say('setup:continue') })
  await ((await skip.isVisible()) ? skip : next).click()
  const [before = ''] = say('setup:progress', { number, all: '/' }).split('/')
  await page.getByText(before).first().waitFor({ state: 'attached' })
}

const at = (name: string, steps: number, more?: Scene['prepare']): Scene => ({
  name: `setup-${name}`,
  hash: '#/setup',
  isAlone: true,
  prepare: async (page, standIn, say) => {
    await begin(page, standIn, say, steps)
    await more?.(page, standIn, say)
  },
})

export const SETUP_SCENES: readonly Scene[] = [
  at('language', 0),
  at('folder-empty', 1),
  at('folder', 1, async (page, _standIn, say) => {
    await page.getByRole('textbox', { name: say('settings:folders.path') }).fill('/srv/camera/export')
    await page.getByText(say('setup:folder.preview')).waitFor()
    await page.getByText(say('settings:trial.reading')).waitFor({ state: 'detached' })
  }),
  at('service', 2, async (page, _standIn, say) => {
    await page
      .getByRole('textbox', { name: say('settings:service.baseUrl') })
      .fill('https://cases.example/api')
    await page.getByRole('textbox', { name: say('settings:service.clientId') }).fill('north-eye-centre')
    await page.getByLabel(say('settings:service.secret')).fill('wrong')
    await page.getByRole('button', { name: say('settings:test.action') }).click()
    await page.getByText(say('settings:test.failed')).first().waitFor({ state: 'attached' })
  }),
  at('center', 3, async (_page, standIn) => {
    standIn.changeSettings({
      service: {
        baseUrl: 'https://cases.example/api',
        clientId: 'north',
        callbackUrl: null,
        referenceField: null,
        hasClientSecret: true,
      },
    })
  }),
  at('center-none', 3),
  at('units', 4),
  at('units-patient', 4, async (page, _standIn, say) => {
    await page.getByRole('radio', { name: say('settings:clinical.vaUnits.logMAR') }).check()
    await page.getByRole('radio', { name: say('settings:clinical.prismBases.patient') }).check()
  }),
  at('computer', 5, async (_page, standIn) => standIn.changeStatus({ host: 'electron' })),
  at('done', 6),
  {
    name: 'setup-managed',
    hash: '#/setup',
    isAlone: true,
    prepare: async (page, standIn, say) => {
      standIn.changeSettings({ managed: ENFORCED })
      for (const number of [2, 3]) await goOn(page, say, number)
    },
  },
]
