/** Every section of the settings, and its states. */
import type { Page } from 'playwright-core'
import type { Scene } from './scene.ts'
import type { Say } from './words-of.ts'

/** What an administrator has decided. */
export const ENFORCED = {
  service: 'enforced',
  folders: 'enforced',
  clinical: 'enforced',
  storage: 'preset',
} as const

const section = (name: string, at: string = name): Scene => ({
  name: `settings-${name}`,
  hash: `#/settings/${at}`,
})

const enforced = (at: string): Scene => ({
  name: `settings-enforced-${at}`,
  hash: `#/settings/${at}`,
  isAlone: true,
  prepare: async (page, standIn, say) => {
    standIn.changeSettings({ managed: ENFORCED })
    await page.getByText(say('settings:managed.enforced')).first().waitFor()
  },
})

const chooseProfile = (page: Page, say: Say, id: string) =>
  page.getByRole('combobox', { name: say('settings:profiles.choose') }).selectOption(id)

const makeOwn = (page: Page, say: Say) =>
  page.getByRole('button', { name: say('settings:profiles.makeOwn') }).click()

const pattern = (page: Page, say: Say, number: number) =>
  page.getByRole('textbox', { name: say('settings:profiles.pattern', { number }), exact: true })

export const SETTINGS_SCENES: readonly Scene[] = [
  section('general'),
  section('service'),
  section('folders'),
  section('profiles'),
  section('patientList'),
  section('requirements'),
  section('clinical'),
  section('sending'),
  section('network'),
  section('storage'),
  section('notifications'),
  section('sources'),
  section('about'),
  enforced('service'),
  enforced('folders'),
  enforced('clinical'),
  {
    name: 'settings-tested',
    hash: '#/settings/service',
    isAlone: true,
    prepare: async (page, _standIn, say) => {
      await page.getByRole('button', { name: say('settings:test.action') }).click()
      await page.getByText(say('settings:test.passed')).first().waitFor({ state: 'attached' })
    },
  },
  {
    name: 'settings-asking',
    hash: '#/settings/folders',
    isAlone: true,
    prepare: async (page, standIn, say) => {
      const status = await standIn.station.handlers['station.status']({})
      const [watched] = status.ok ? status.value.folders : []
      if (watched)
        standIn.changeStatus({
          folders: [{ ...watched, health: 'asking', guard: 'unguarded', existingCount: 1_240 }],
        })
      await page.getByLabel(say('settings:folders.asking.sinceLabel')).fill('2026-06-01')
    },
  },
  {
    name: 'settings-quiet-hours',
    hash: '#/settings/notifications',
    isAlone: true,
    prepare: (page, _standIn, say) =>
      page.getByRole('switch', { name: say('settings:notifications.quiet') }).click(),
  },
  {
    name: 'settings-licenses',
    hash: '#/settings/about',
    isAlone: true,
    prepare: async (page, _standIn, say) => {
      await page.getByRole('button', { name: say('settings:about.showLicenses') }).click()
      await page.getByText('@mantine/core').click()
    },
  },
  {
    name: 'profile-shipped',
    hash: '#/settings/profiles',
    isAlone: true,
    prepare: async (page, _standIn, say) => {
      await chooseProfile(page, say, 'eidon-photos')
      await page.getByText(say('settings:trial.noEye')).first().waitFor({ state: 'detached' })
    },
  },
  {
    name: 'profile-own',
    hash: '#/settings/profiles',
    isAlone: true,
    prepare: async (page, _standIn, say) => {
      await chooseProfile(page, say, 'camera-back')
      await makeOwn(page, say)
      await pattern(page, say, 2).fill('{historyNumber}{name}_*')
    },
  },
  {
    name: 'profile-wrong',
    hash: '#/settings/profiles',
    isAlone: true,
    prepare: async (page, _standIn, say) => {
      await chooseProfile(page, say, 'eidon-photos')
      await page.getByText(say('settings:trial.noEye')).first().waitFor({ state: 'detached' })
      await makeOwn(page, say)
      await pattern(page, say, 1).fill('{historyNumber}_{date}')
      await pattern(page, say, 2).fill('{historyNumber}')
      await page.getByText(say('settings:trial.noEye')).first().waitFor()
      await pattern(page, say, 2).fill('*')
      await page.getByRole('button', { name: say('settings:columns.add') }).click()
    },
  },
  {
    name: 'patient-list',
    hash: '#/settings/patientList',
    isAlone: true,
    prepare: async (page, _standIn, say) => {
      await page.getByRole('switch', { name: say('settings:patientList.use') }).click()
      await page.getByRole('button', { name: say('settings:columns.add') }).click()
    },
  },
  {
    name: 'patient-list-wrong',
    hash: '#/settings/patientList',
    isAlone: true,
    prepare: async (page, _standIn, say) => {
      await page.getByRole('switch', { name: say('settings:patientList.use') }).click()
      await page.getByRole('button', { name: say('settings:columns.add') }).click()
      await page.getByRole('button', { name: say('settings:save') }).click()
    },
  },
]
