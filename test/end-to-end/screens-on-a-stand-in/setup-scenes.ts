/** Pictures of the set-up, step by step, and of the settings that an administrator looks at. */
import type { Page } from 'playwright-core'
import type { ShownSettings } from '../../../src-shared/settings.ts'
import type { StandIn } from './stand-in-station.ts'
import type { Scene } from './take-pictures.ts'

/** A station that nobody has set up yet. */
export const NEW_STATION: Partial<ShownSettings> = {
  setup: 'open',
  service: null,
  folders: [],
  centerId: null,
}

/** Goes on from the first step to a later one, with nothing entered in between. */
async function begin(page: Page, standIn: StandIn, steps: number): Promise<void> {
  standIn.changeSettings(NEW_STATION)
  for (let step = 0; step < steps; step += 1) {
    const skip = page.getByRole('button', { name: 'Skip for now' })
    const next = page.getByRole('button', { name: 'Continue' })
    await ((await skip.isVisible()) ? skip : next).click()
    await page.waitForTimeout(150)
  }
}

const at = (name: string, steps: number, more?: Scene['prepare']): Scene => ({
  name: `setup-${name}`,
  hash: '#/setup',
  prepare: async (page, standIn) => {
    await begin(page, standIn, steps)
    await more?.(page, standIn)
  },
})

const ENFORCED = {
  service: 'enforced',
  folders: 'enforced',
  clinical: 'enforced',
  storage: 'preset',
} as const

export const SETUP_SCENES: readonly Scene[] = [
  at('language', 0),
  at('folder-empty', 1),
  at('folder', 1, async (page) => {
    await page.getByRole('textbox', { name: 'Folder' }).fill('/srv/camera/export')
    await page.waitForTimeout(900)
  }),
  at('service', 2, async (page) => {
    await page.getByRole('textbox', { name: 'Service address' }).fill('https://cases.example/api')
    await page.getByRole('textbox', { name: 'Client id' }).fill('north-eye-centre')
    await page.getByLabel('Client secret').fill('wrong')
    await page.getByRole('button', { name: 'Test connection' }).click()
    await page.waitForTimeout(300)
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
  at('units-patient', 4, async (page) => {
    await page.getByRole('radio', { name: 'logMAR' }).check()
    await page.getByRole('radio', { name: 'As the patient sees' }).check()
  }),
  at('computer', 5, async (_page, standIn) => standIn.changeStatus({ host: 'electron' })),
  at('done', 6),
  {
    name: 'setup-managed',
    hash: '#/setup',
    prepare: async (page, standIn) => {
      standIn.changeSettings({ managed: ENFORCED })
      for (let step = 0; step < 2; step += 1) await page.getByRole('button', { name: 'Continue' }).click()
    },
  },
  { name: 'settings-general', hash: '#/settings' },
  { name: 'settings-clinical', hash: '#/settings/clinical' },
  { name: 'settings-network', hash: '#/settings/network' },
  {
    name: 'settings-notifications',
    hash: '#/settings/notifications',
    prepare: (page) => page.getByRole('switch', { name: 'Tell nothing at certain hours' }).click(),
  },
  {
    name: 'settings-licences',
    hash: '#/settings/about',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Show licences' }).click()
      await page.getByText('@mantine/core').click()
    },
  },
  {
    name: 'settings-enforced',
    hash: '#/settings/service',
    prepare: async (_page, standIn) => standIn.changeSettings({ managed: ENFORCED }),
  },
  {
    name: 'settings-enforced-folders',
    hash: '#/settings/folders',
    prepare: async (_page, standIn) => standIn.changeSettings({ managed: ENFORCED }),
  },
]
