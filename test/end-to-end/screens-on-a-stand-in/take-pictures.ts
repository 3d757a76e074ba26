/**
 * Takes pictures of every screen in both themes, to be looked at: `node test/end-to-end/screens-on-a-stand-in/take-pictures.ts FOLDER [width height [which]]`, where `which` is a regular expression on names.
 */
import { mkdir, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { QUEUE_SCENES } from './queue-scenes.ts'
import { REPORT_SCENES } from './report-scenes.ts'
import { SETUP_SCENES } from './setup-scenes.ts'
import { openTestBrowser } from '../browser.ts'
import { buildScreens, openScreens } from './open-screens.ts'
import { drawFiles } from './stand-in-files.ts'
import { doubtfulDelivery, syntheticAlarms } from './synthetic-alarms.ts'
import type { StandIn } from './stand-in-station.ts'

const [folder = 'pictures', width = '1280', height = '800'] = process.argv.slice(2)

export type Scene = {
  readonly name: string
  readonly hash: string
  readonly prepare?: (page: Page, standIn: StandIn) => Promise<unknown>
}

const HALF_WAY = { id: 's7', handedOverBytes: 2_640_000, requestBytes: 4_212_345, stalledSince: null }

async function stall(standIn: StandIn): Promise<void> {
  standIn.tell('deliveryProgressed', { ...HALF_WAY, stalledSince: Date.now() - 35_000 })
}

function removeImages(standIn: StandIn): void {
  const images = standIn.submissions.get('s30')?.images ?? []
  standIn.changeSubmission('s30', {
    images: images.map((image) => ({ ...image, removedAt: Date.UTC(2026, 10, 3) })),
  })
}

const SCENES: readonly Scene[] = [
  ...SETUP_SCENES,
  ...QUEUE_SCENES,
  ...REPORT_SCENES,
  { name: 'queue', hash: '#/queue' },
  {
    name: 'queue-selected',
    hash: '#/queue',
    prepare: async (page) => {
      for (const index of [2, 4, 6]) await page.getByRole('checkbox').nth(index).check()
      await page.getByRole('button', { name: 'Show' }).click()
    },
  },
  { name: 'incomplete', hash: '#/queue/s3' },
  { name: 'review', hash: '#/queue/s5' },
  { name: 'unconfirmed', hash: '#/queue/s2' },
  { name: 'refused', hash: '#/queue/s1' },
  { name: 'sent', hash: '#/queue/s30' },
  {
    name: 'viewer',
    hash: '#/queue/s5',
    prepare: (page) =>
      page
        .getByRole('button', { name: /^Enlarge/ })
        .first()
        .click(),
  },
  {
    name: 'settings-service',
    hash: '#/settings/service',
    prepare: (page) => page.getByRole('button', { name: 'Test connection' }).click(),
  },
  { name: 'settings-folders', hash: '#/settings/folders' },
  {
    name: 'settings-asking',
    hash: '#/settings/folders',
    prepare: async (page, standIn) => {
      const status = await standIn.station.handlers['station.status']({})
      const [watched] = status.ok ? status.value.folders : []
      if (watched)
        standIn.changeStatus({
          folders: [{ ...watched, health: 'asking', guard: 'unguarded', existingCount: 1_240 }],
        })
      await page.getByLabel('Only files since').fill('2026-06-01')
    },
  },
  {
    name: 'profile-shipped',
    hash: '#/settings/profiles',
    prepare: async (page) => {
      await page.getByRole('combobox', { name: 'Profile' }).selectOption('eidon-photos')
      await page.waitForTimeout(900)
    },
  },
  {
    name: 'profile-own',
    hash: '#/settings/profiles',
    prepare: async (page) => {
      await page.getByRole('combobox', { name: 'Profile' }).selectOption('camera-back')
      await page.getByRole('button', { name: 'Make my own from this one' }).click()
      await page.getByRole('textbox', { name: 'Pattern 2' }).fill('{historyNumber}{name}_*')
      await page.waitForTimeout(900)
    },
  },
  {
    name: 'patient-list',
    hash: '#/settings/patientList',
    prepare: async (page) => {
      await page.getByRole('switch', { name: 'Use a patient list' }).click()
      await page.getByRole('button', { name: 'Add heading' }).click()
    },
  },
  { name: 'doubtful', hash: '#/queue/s13' },
  {
    name: 'no-image',
    hash: '#/queue/s13',
    prepare: (page) => page.getByRole('button', { name: /^No image possible.*Left eye/ }).click(),
  },
  {
    name: 'split',
    hash: '#/queue/s13',
    prepare: async (page) => {
      await page.getByRole('checkbox', { name: 'Choose OD_1.jpg' }).check()
      await page.getByRole('button', { name: 'Make a case of their own' }).click()
    },
  },
  {
    name: 'move',
    hash: '#/queue/s13',
    prepare: async (page) => {
      await page.getByRole('checkbox', { name: 'Choose OD_1.jpg' }).check()
      await page.getByRole('button', { name: 'Move to another case' }).click()
      await page
        .getByRole('group', { name: 'Open cases' })
        .getByRole('button', { name: /H-00412/ })
        .click()
    },
  },
  {
    name: 'chosen',
    hash: '#/queue/s5',
    prepare: (page) => page.getByRole('checkbox', { name: 'Choose OD_1.jpg' }).check(),
  },
  {
    name: 'merge',
    hash: '#/queue',
    prepare: async (page) => {
      for (const who of ['H-00412', 'H-00415', 'H-00420'])
        await page.getByRole('checkbox', { name: new RegExp(`Select ${who}`) }).check()
      await page.getByRole('button', { name: 'Join' }).click()
    },
  },
  {
    name: 'alarms',
    hash: '#/queue',
    prepare: async (page, standIn) => {
      standIn.changeStatus({ alarms: syntheticAlarms(Date.now()) })
      await page.getByTestId('banner').getByRole('button', { name: 'Look' }).click()
    },
  },
  {
    name: 'ageing',
    hash: '#/queue',
    prepare: (page) => page.getByRole('button', { name: /waiting too long/ }).click(),
  },
  {
    name: 'sending',
    hash: '#/queue/s7',
    prepare: (_page, standIn) => stall(standIn),
  },
  {
    name: 'sending-through',
    hash: '#/queue/s7',
    prepare: async (_page, standIn) => {
      standIn.tell('deliveryProgressed', { ...HALF_WAY, handedOverBytes: HALF_WAY.requestBytes })
    },
  },
  { name: 'stalled', hash: '#/queue', prepare: (_page, standIn) => stall(standIn) },
  {
    name: 'cancel',
    hash: '#/queue/s7',
    prepare: (page) => page.getByRole('button', { name: 'Cancel sending' }).click(),
  },
  {
    name: 'discard',
    hash: '#/queue/s2',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'More for this case' }).click()
      await page.getByRole('menuitem', { name: 'Discard' }).click()
    },
  },
  {
    name: 'move-center',
    hash: '#/queue',
    prepare: async (page) => {
      for (const who of ['H-00412', 'H-00415'])
        await page.getByRole('checkbox', { name: new RegExp(`Select ${who}`) }).check()
      await page.getByRole('button', { name: /Move to center/ }).click()
      await page.getByRole('combobox', { name: 'Move to' }).selectOption('102')
    },
  },
  {
    name: 'unconfirmed-doubts',
    hash: '#/queue/s2',
    prepare: async (_page, standIn) => standIn.changeSubmission('s2', doubtfulDelivery(Date.now())),
  },
  {
    name: 'decision',
    hash: '#/queue/s2',
    prepare: async (page, standIn) => {
      standIn.changeSubmission('s2', doubtfulDelivery(Date.now()))
      await page.getByRole('button', { name: 'It is not there, send again' }).click()
    },
  },
  {
    name: 'answer',
    hash: '#/queue/s2',
    prepare: (page) => page.getByRole('button', { name: /^Show the answer/ }).click(),
  },
  {
    name: 'removed',
    hash: '#/queue/s30',
    prepare: async (_page, standIn) => removeImages(standIn),
  },
  {
    name: 'removed-viewer',
    hash: '#/queue/s30',
    prepare: async (page, standIn) => {
      removeImages(standIn)
      await page
        .getByRole('button', { name: /^Enlarge/ })
        .first()
        .click()
    },
  },
  { name: 'activity-of-case', hash: '#/activity/s2' },
  { name: 'settings-sending', hash: '#/settings/sending' },
  { name: 'settings-storage', hash: '#/settings/storage' },
  { name: 'settings-requirements', hash: '#/settings/requirements' },
  { name: 'settings-about', hash: '#/settings/about' },
]

const only = process.argv[5]
const opened = await openTestBrowser()
if (opened.kind === 'absent') throw new Error(opened.why)
const screens = await mkdtemp(join(tmpdir(), 'fundus-courier-screens-'))
await buildScreens(screens)
await mkdir(folder, { recursive: true })
const files = await drawFiles(await mkdtemp(join(tmpdir(), 'fundus-courier-drawn-')))
for (const colorScheme of ['light', 'dark'] as const) {
  for (const { name, hash, prepare } of SCENES) {
    if (only !== undefined && !new RegExp(only).test(name)) continue
    const { address, standIn, close } = await openScreens(screens, { files })
    const page = await opened.browser.newPage({
      colorScheme,
      viewport: { width: Number(width), height: Number(height) },
    })
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning')
        process.stderr.write(`${name}: ${message.text()}\n`)
    })
    page.on('pageerror', (error) => process.stderr.write(`${name}: ${error.message}\n`))
    await page.goto(address)
    await page.getByRole('table').waitFor()
    standIn.tell('deliveryProgressed', HALF_WAY)
    await page.evaluate((to) => {
      window.location.hash = to
    }, hash)
    await page.waitForTimeout(700)
    await prepare?.(page, standIn)
    await page.waitForTimeout(500)
    await page.screenshot({ path: join(folder, `${name}-${colorScheme}.png`) })
    await page.close()
    await close()
  }
}
await opened.browser.close()
