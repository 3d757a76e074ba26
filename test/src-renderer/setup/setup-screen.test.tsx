import { expect, it, vi } from 'vitest'
import { failureOf } from '../../../src-shared/failure.ts'
import { folderSettingsSchema } from '../../../src-shared/folder-settings.ts'
import { all, type Answers, click, find, openWindow, SETTINGS, shows, type } from '../open-window.tsx'

const NEW = { ...SETTINGS, setup: 'open' as const, service: null, centerId: null, folders: [] }
const HARBOUR = { centerId: '102', name: 'Harbour Clinic', isCurrent: null }
const WELL = { kind: 'passed' } as const

function openSetup(answers: Answers = {}) {
  let settings: typeof SETTINGS = NEW
  return openWindow('#/setup', {
    'settings.get': NEW,
    'settings.update': ({ folders, setup, service }) => {
      settings = {
        ...settings,
        ...(folders && { folders: folders.map((folder) => folderSettingsSchema.parse(folder)) }),
        ...(setup && { setup }),
        ...(service && { service: SETTINGS.service }),
      }
      return settings
    },
    'service.test': ({ service }) =>
      service?.clientSecret === 'right'
        ? {
            reachable: WELL,
            signedIn: WELL,
            centersListed: WELL,
            centers: service.baseUrl.endsWith('example') ? [HARBOUR] : [],
          }
        : {
            reachable: WELL,
            signedIn: { kind: 'failed', failure: failureOf('signedOut') },
            centersListed: { kind: 'notTried' },
            centers: [],
          },
    ...answers,
  })
}

async function enter(secret: string): Promise<void> {
  await type('textbox', 'Service address', 'https://cases.example')
  await type('textbox', 'Client ID', 'north')
  await type('textbox', 'Client secret', secret)
  await click('button', 'Continue')
}

it('asks for the folder, then for the service, shows a wrong secret at once, and lets the center be chosen', async () => {
  const { inputsOf } = openSetup()
  // As Windows copies a path.
  await type('textbox', 'Folder', '"/camera"')
  // What is in the folder comes before the question about it, which is not put a second time.
  const preview = await find('button', 'Preview')
  const importAll = await find('radio', /^Import all/)
  expect(preview.compareDocumentPosition(importAll)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
  expect(all('radio')).toHaveLength(3)
  await click('button', 'Continue')
  await find('heading', 'Where are cases sent?')
  expect(inputsOf('settings.update')).toMatchObject([{ folders: [{ path: '/camera', existing: 'include' }] }])
  await enter('wrong')
  await shows('Signed in: failed')
  expect(all('radio')).toEqual([])
  expect(inputsOf('settings.update')).toHaveLength(1)
  await type('textbox', 'Client secret', 'right')
  await click('button', 'Continue')
  await click('radio', 'Harbour Clinic')
  await click('button', 'Continue')
  await find('heading', 'All set')
  expect(inputsOf('settings.update').at(-1)).toMatchObject({
    service: { baseUrl: 'https://cases.example', clientId: 'north', clientSecret: 'right' },
    centerId: '102',
  })
  await click('button', 'Open queue')
  await vi.waitFor(() => expect(window.location.hash).toBe('#/queue'))
  expect(inputsOf('settings.update').at(-1)).toEqual({ setup: 'done' })
})

it('loses nothing that was entered by a jump over what is not set, and goes back at any time', async () => {
  openSetup()
  await type('textbox', 'Folder', '/camera')
  const ahead = [await find('button', /^Service, /), await find('button', /^Ready, /)]
  expect(ahead.map((button) => button.matches(':disabled'))).toEqual([true, true])
  await click('button', 'Continue')
  await find('heading', 'Where are cases sent?')
  await click('button', /^Camera folder, /)
  await find('heading', 'Where does the camera save its images?')
})

it('stays at its step, with what is typed there, while what it asks for is set elsewhere', async () => {
  const { emit } = openSetup()
  await type('textbox', 'Folder', '/camera')
  const ahead = await find('button', /^Service, /)
  emit('settingsChanged', { ...NEW, folders: [folderSettingsSchema.parse({ path: '/elsewhere' })] })
  await vi.waitFor(() => expect(ahead.matches(':disabled')).toBe(false))
  expect(await find('textbox', 'Folder')).toMatchObject({ value: '/camera' })
})

it('takes no center of a service for another one', async () => {
  const { inputsOf } = openSetup()
  await click('button', 'Continue')
  await enter('right')
  await click('radio', 'Harbour Clinic')
  await type('textbox', 'Service address', 'https://other.example/api')
  await click('button', 'Continue')
  await find('radio', 'The one of these credentials')
  await click('button', 'Continue')
  await find('heading', 'Nearly there')
  expect(inputsOf('settings.update')).toMatchObject([{ service: { baseUrl: 'https://other.example/api' } }])
  expect(inputsOf('settings.update')[0]).not.toHaveProperty('centerId')
})

it('goes on without folder and service, and says what is missing', async () => {
  const { inputsOf } = openSetup()
  await find('heading', 'Where does the camera save its images?')
  await click('button', 'Continue')
  await find('heading', 'Where are cases sent?')
  await click('button', 'Continue')
  await find('heading', 'Nearly there')
  await shows('None yet: no images are imported.')
  await shows('Not set up yet: cases are kept, nothing is sent.')
  expect(inputsOf('settings.update')).toEqual([])
})

it('goes on with a service that cannot be reached now, once that was shown', async () => {
  const { inputsOf } = openSetup({
    'service.test': {
      reachable: { kind: 'failed', failure: failureOf('offline') },
      signedIn: { kind: 'notTried' },
      centersListed: { kind: 'notTried' },
      centers: [],
    },
  })
  await click('button', 'Continue')
  await enter('right')
  await shows('Service reachable: failed')
  await click('button', 'Continue')
  await find('heading', 'Nearly there')
  expect(inputsOf('settings.update')).toMatchObject([{ service: { clientId: 'north' } }])
  expect(inputsOf('settings.update')[0]).not.toHaveProperty('centerId')
})
