import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { it, expect } from 'vitest'
import type { Page } from 'playwright-core'
import { drawFundus } from '../../camera/draw-fundus.ts'
import { dicomFile } from '../../camera/write-dicom.ts'
import { openScreens, type Screens } from './open-screens.ts'

const OUT = '/tmp/screens-shots'
mkdirSync(OUT, { recursive: true })
const today = new Date().toISOString().slice(0, 10)
const compact = today.replaceAll('-', '')
async function shots(page: Page, name: string): Promise<void> {
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
    await page.locator(`html[data-mantine-color-scheme="${theme}"]`).waitFor()
    await page.waitForTimeout(600)
    await page.screenshot({ path: join(OUT, `${name}-${theme}.png`) })
  }
  await page.emulateMedia({ colorScheme: 'light' })
}
function put(screens: Screens, path: string, bytes: Uint8Array): void {
  const full = join(screens.camera, path)
  mkdirSync(dirname(full), { recursive: true })
  writeFileSync(full, bytes)
}
const photo = (eye: 'right' | 'left', seed: number, shot = 0) => drawFundus({ eye, seed, shot, width: 600, height: 500 })
const open = async (screens: Screens): Promise<any> => {
  await expect.poll(async () => {
    const { items } = await screens.value('submissions.list')
    return items.length > 0 && items.every(({ state }) => state !== 'collecting')
  }).toBe(true)
  const { items } = await screens.value('submissions.list')
  for (const one of items) process.stderr.write(JSON.stringify({ s: one.state, f: one.fields, i: one.images.map((x) => [x.fileName, x.eye]), r: one.reasons, o: one.oddities, v: one.verdict }, null, 1) + '\n')
  return items[0]
}
async function visit(screens: Screens, id: string): Promise<void> {
  await screens.goTo(`#/queue/${id}`)
  await screens.page.getByRole('heading', { name: 'How this is known' }).waitFor()
}

it('proposal', async (context) => {
  const screens = await openScreens(context)
  put(screens, `501288_${compact}_OD.jpg`, await photo('right', 5))
  put(screens, `501288_${compact}_OS.jpg`, await photo('left', 5))
  const one = await open(screens)
  const mock = (about: string | null, why: string) => async () => ({
    ok: true as const,
    value: {
      who: { kind: 'proposed' as const, why, about, statements: one.images.map((i: any) => ({ value: '501288', source: 'fileName' as const, where: i.fileName })) },
      day: { kind: 'proposed' as const, why: 'readFromNames', about: null, statements: one.images.map((i: any) => ({ value: today, source: 'fileName' as const, where: i.fileName })) },
      together: { kind: 'proposed' as const, why: 'readFromNames' },
      eyes: Object.fromEntries(one.images.map((i: any) => [i.id, { kind: 'proposed', why: 'readFromNames', about: null, statements: [{ value: i.eye, source: 'fileName', where: i.fileName }] }])),
      groups: [],
      joinable: [{ id: 'x', reference: 'FC7K3M9QXAW', historyNumber: '700001' }],
    },
  })
  screens.answerWith('submissions.proof', mock(null, 'readFromNames') as any)
  await screens.page.getByRole('table').waitFor()
  await shots(screens.page, 'queue')
  await visit(screens, one.id)
  await shots(screens.page, 'proposal')
  screens.answerWith('submissions.proof', mock('88123', 'secondNumber') as any)
  const real = await screens.value('submissions.get', { id: one.id })
  const who = { ...real.verdict.who, why: 'secondNumber' }
  screens.answerWith('submissions.get', (async () => ({ ok: true, value: { ...real, verdict: { ...real.verdict, who }, oddities: [{ kind: 'checkProposal', message: 'x', wording: { key: 'intake:warning.proposal.secondNumber', values: { about: '88123', value: '501288' } } }] } })) as any)
  await screens.page.reload()
  await visit(screens, one.id)
  await shots(screens.page, 'number')
})

it('dispute', async (context) => {
  const screens = await openScreens(context)
  const image = { jpeg: await photo('right', 7), width: 600, height: 500 }
  const left = { jpeg: await photo('left', 7), width: 600, height: 500 }
  const ids = { patientId: '501288', patientName: 'TESTWOOD^SYNTHIA', studyDate: compact }
  put(screens, '501288_OS.dcm', await dicomFile({ ...ids, laterality: 'R', image, sopUid: '2.25.1' }))
  put(screens, '501288_L_2.dcm', await dicomFile({ ...ids, laterality: 'L', image: left, sopUid: '2.25.2' }))
  const one = await open(screens)
  screens.answerWith('submissions.proof', (async () => ({
    ok: true as const,
    value: {
      who: { kind: 'proven', why: null, about: null, statements: one.images.map((i: any) => ({ value: '501288', source: 'dicom', where: i.fileName })) },
      day: { kind: 'proven', why: null, about: null, statements: one.images.map((i: any) => ({ value: today, source: 'dicom', where: i.fileName })) },
      together: { kind: 'proven', why: null },
      eyes: Object.fromEntries(one.images.map((i: any) => [i.id, i.eye === 'unknown' ? { kind: 'disputed', why: 'sourcesDiffer', about: null, statements: [{ value: 'left', source: 'fileName', where: i.fileName }, { value: 'right', source: 'dicom', where: i.fileName }] } : { kind: 'proven', why: null, about: null, statements: [{ value: 'left', source: 'dicom', where: i.fileName }] }])),
      groups: [],
      joinable: [],
    },
  })) as any)
  await visit(screens, one.id)
  await shots(screens.page, 'dispute')
})

it('two patients', async (context) => {
  const screens = await openScreens(context)
  for (const [n, name, eye] of [[1, 'TESTWOOD^SYNTHIA', 'right'], [2, 'TESTWOOD^SYNTHIA', 'left'], [3, 'DEMOSON^FICTOR', 'right'], [4, 'DEMOSON^FICTOR', 'left']] as const) {
    const image = { jpeg: await photo(eye, n < 3 ? 9 : 23), width: 600, height: 500 }
    put(screens, `501288/IMG_000${n}.dcm`, await dicomFile({ patientId: '501288', patientName: name, sex: n < 3 ? 'F' : 'M', birthDate: n < 3 ? '19570311' : '19820102', laterality: eye === 'right' ? 'R' : 'L', studyDate: compact, image, sopUid: `2.25.${n}` }))
  }
  const one = await open(screens)
  const group = (from: number, who: string) => ({ imageIds: one.images.filter((i: any) => Number(/(\d)\.dcm/.exec(i.fileName)![1]) >= from && Number(/(\d)\.dcm/.exec(i.fileName)![1]) < from + 2).map((i: any) => i.id), statements: [1, 2].map(() => ({ value: who, source: 'dicom', where: `501288/IMG_000${from}.dcm` })) })
  screens.answerWith('submissions.proof', (async () => ({
    ok: true as const,
    value: {
      who: { kind: 'disputed', why: 'twoPeople', about: null, statements: [group(1, 'TESTWOOD SYNTHIA 1957-03-11 F').statements[0], group(3, 'DEMOSON FICTOR 1982-01-02 M').statements[0]] },
      day: { kind: 'proven', why: null, about: null, statements: one.images.map((i: any) => ({ value: today, source: 'dicom', where: i.fileName })) },
      together: { kind: 'proven', why: null },
      eyes: Object.fromEntries(one.images.map((i: any) => [i.id, { kind: 'proven', why: null, about: null, statements: [{ value: i.eye, source: 'dicom', where: i.fileName }] }])),
      groups: [group(1, 'TESTWOOD SYNTHIA 1957-03-11 F'), group(3, 'DEMOSON FICTOR 1982-01-02 M')],
      joinable: [{ id: 'x', reference: 'FC7K3M9QXAW', historyNumber: '700001' }],
    },
  })) as any)
  await visit(screens, one.id)
  await shots(screens.page, 'two-patients')
  await screens.page.getByRole('button', { name: 'Same patient…' }).click()
  await shots(screens.page, 'same-patient')
})

it('banner and help', async (context) => {
  const screens = await openScreens(context)
  const status = await screens.value('station.status')
  screens.answerWith('station.status', (async () => ({ ok: true, value: { ...status, namesRule: 'new', counts: { ...status.counts, review: 12 } } })) as any)
  await screens.page.reload()
  await screens.page.getByTestId('banner').getByText('New: only').waitFor()
  await shots(screens.page, 'banner')
  await screens.page.getByRole('link', { name: 'How to go hands-free' }).click()
  await screens.page.getByRole('heading', { name: 'How the station knows' }).waitFor()
  await shots(screens.page, 'help')
  screens.answerWith('station.status', (async () => ({ ok: true, value: { ...status, alarms: [{ id: 'a', kind: 'contradicted', submissionId: 'x', reference: 'FC7K3M9QXAW', caseIds: ['4001'], message: 'FC7K3M9QXAW may be of another patient. Call the reading service.', raisedAt: Date.now() }] } })) as any)
  await screens.page.reload()
  await screens.page.getByRole('button', { name: 'Look' }).click()
  await screens.page.getByRole('dialog').waitFor()
  await shots(screens.page, 'alarm')
})
