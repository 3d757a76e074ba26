/**
 * People whose names nothing else in a station contains: visits of theirs, a drive through success and each kind of
 * failure with them, and the search for them in places that must not name a patient.
 */
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { type CallName, calls } from '../../../src-shared/contract.ts'
import type { Result } from '../../../src-shared/failure.ts'
import { drawFundus } from '../../camera/draw-fundus.ts'
import * as faults from '../../practice-service/faults.ts'
import type { Fault } from '../../practice-service/faults.ts'
import { until } from '../../station-process/start-station.ts'
import type { StationFixture } from '../station-fixture.ts'
import { TODAY, TODAY_IN_NAMES } from '../../camera/today.ts'

/** Every text about these people contains one of these; their images, fields, folders and files are full of them. */
export const NAMING = /quixwood|zacarias|zqx/i

const VISIT_DATE = TODAY

/** The fields of such a person; every text names the person. */
function namedFields(number: number): Readonly<Record<string, string | number>> {
  return {
    history_number: `ZQX-${4_700 + number}`,
    first_name: 'Zacarias',
    last_name: 'Quixwood',
    gender: 1,
    age: 61,
    diabetes: 1,
    visit_date: VISIT_DATE,
    visit_reason: 'Zacarias sees less',
    ophthalmic_antecedents: 'Quixwood senior had glaucoma',
    other_relevant_info: 'called Zaca, zqx',
  }
}

/** Writes a whole visit as a camera with a sidecar does. The answer is its history number. */
async function exportNamed(camera: string, number: number): Promise<string> {
  const fields = namedFields(number)
  const historyNumber = String(fields['history_number'])
  const folder = `${historyNumber}_Quixwood_Zacarias_${TODAY_IN_NAMES}`
  const names = { right: `${historyNumber}_Quixwood_OD_1.jpg`, left: `${historyNumber}_Quixwood_OS_1.jpg` }
  await mkdir(join(camera, folder), { recursive: true })
  await writeFile(
    join(camera, folder, 'case.json'),
    JSON.stringify({ ...fields, images: { [names.right]: 'OD', [names.left]: 'OS' } }),
  )
  for (const [index, eye] of (['right', 'left'] as const).entries())
    await writeFile(
      join(camera, folder, names[eye]),
      await drawFundus({ eye, seed: 7_000 + number * 2 + index, width: 320, height: 240 }),
    )
  return historyNumber
}

/** Files that go wrong, each under names of people. */
async function exportNamedRubbish(camera: string): Promise<void> {
  const write = async (path: string, bytes: string | Uint8Array): Promise<void> => {
    await mkdir(join(camera, path, '..'), { recursive: true })
    await writeFile(join(camera, path), bytes)
  }
  const image = await drawFundus({ eye: 'right', seed: 7_900, width: 320, height: 240 })
  const damaged = Buffer.from(image).fill(0, Math.floor(image.length * 0.4), Math.floor(image.length * 0.7))
  await write('Quixwood_Zacarias/ZQX-1_OD_1.jpg', 'This is Zacarias Quixwood, and no image.'.repeat(40))
  await write('Quixwood_Zacarias/ZQX-2_OD_1.jpg', image.subarray(0, Math.floor(image.length * 0.6)))
  await write('Quixwood_Zacarias/ZQX-3_OD_1.jpg', damaged)
  await write('Quixwood_Zacarias/ZQX-4_OD_1.jpg', '')
  await write('Quixwood_Zacarias/ZQX-5_OD.dcm', `${'\0'.repeat(128)}DICMQuixwood^Zacarias`)
  await write(
    `ZQX-6_${TODAY_IN_NAMES}/case.json`,
    '{ "history_number": "ZQX-6", "last_name": "Quixwood", "age": 4',
  )
  await write(
    `ZQX-7_${TODAY_IN_NAMES}/case.json`,
    '{ "last_name": ["Quixwood"], "age": "Zacarias", "od_iop": "zqx" }',
  )
  await write(
    `ZQX-7_${TODAY_IN_NAMES}/ZQX-7_OD_1.jpg`,
    await drawFundus({ eye: 'left', seed: 7_901, width: 320, height: 240 }),
  )
  await write('ZQX-8.zip', 'PK\u0003\u0004Quixwood')
  await write('ZQX-9_Quixwood.csv', 'history_number,last_name\nZQX-9,"Quixwood\n')
  await write('ZQX-9_Quixwood.xml', '<patient><last_name>Quixwood</patient>')
}

/** A call to a station on any host. */
export type Ask = (name: CallName, input?: object) => Promise<Result<unknown>>

/** Lines of a text that name a patient. */
export function namedLines(text: string): string[] {
  return text.split('\n').filter((line) => NAMING.test(line))
}

/** Every message of the station in a value, with its path; words of a person or the service are in other fields. */
function messagesIn(value: unknown, path = ''): { readonly path: string; readonly message: string }[] {
  if (Array.isArray(value)) return value.flatMap((one) => messagesIn(one, path))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, part]) =>
    name === 'message' && typeof part === 'string'
      ? [{ path, message: part }]
      : messagesIn(part, `${path}.${name}`),
  )
}

/** Every message of the station about itself and its cases. */
export async function allMessages(ask: Ask): Promise<ReturnType<typeof messagesIn>> {
  const list = await ask('submissions.list', { limit: 1_000 })
  const items = list.ok ? (list.value as { readonly items: readonly { readonly id: string }[] }).items : []
  const details = await Promise.all(items.map(({ id }) => ask('submissions.get', { id })))
  const others = await Promise.all(
    (['station.status', 'submissions.ageing', 'service.test'] as const).map((name) => ask(name, {})),
  )
  return [list, ...details, ...others].flatMap((answer) => messagesIn(answer))
}

/** Small files of the data folder that may leave it or are read by others, by their path in it. */
export async function readableFiles(dataFolder: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(dataFolder, { recursive: true, withFileTypes: true })
  const wanted = entries
    .filter((entry) => entry.isFile() && /\.(log|json)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    // A manifest beside the images is what a lost outbox is built from again: patients' data, and closed like it.
    .filter((path) => !/[\\/]spool[\\/]/.test(path))
  return new Map(
    await Promise.all(
      wanted.map(async (path) => [relative(dataFolder, path), await readFile(path, 'utf8')] as const),
    ),
  )
}

/** Names of all files and folders that the station has made. */
export async function namesOfFiles(dataFolder: string): Promise<string[]> {
  const entries = await readdir(dataFolder, { recursive: true, withFileTypes: true })
  return entries.map((entry) => relative(dataFolder, join(entry.parentPath, entry.name)))
}

const FULL_NAME = 'Quixwood, Zacarias zqx'

/** What strikes the delivery of one visit each. */
export const STRIKES: readonly (readonly [string, Fault | null])[] = [
  ['nothing', null],
  ['a refusal that names the patient', faults.failInEnvelope(FULL_NAME)],
  ['a reset before the body', faults.resetBeforeBody()],
  ['a reset amid the body', faults.resetAmidBody(9_000)],
  ['a reset after the body', faults.resetAfterBody()],
  ['a swallowed answer', faults.swallowAnswer()],
  ['a cut answer', faults.cutAnswer()],
  ['a page with 500', faults.answerStatus(500, 'html')],
  ['a refusal', faults.answerStatus(422, 'json')],
  ['a success without an id', faults.succeedWithoutId()],
  ['a limit', faults.refuseAsTooLarge(5_000)],
  [
    'a redirect',
    faults.redirectTo(`https://elsewhere.example/?who=${encodeURIComponent(FULL_NAME)}`, 307, 'read'),
  ],
  ['a wait', faults.askToWait(503, 1)],
  ['rubbish', faults.answerStatus(200, 'garbage')],
]

export async function driveThroughTrouble(
  fixture: StationFixture,
  ask: Ask,
  strikes: typeof STRIKES = STRIKES,
): Promise<void> {
  for (const [number, [what, fault]] of strikes.entries()) {
    if (fault) fixture.service.faults.add('POST /cases', fault)
    const historyNumber = await exportNamed(fixture.camera, number)
    await until(`an attempt after ${what}`, async () => {
      const answer = await ask('submissions.list', { search: historyNumber })
      const items = answer.ok ? calls['submissions.list'].output.parse(answer.value).items : []
      return items.some(({ attempts, state }) => attempts > 0 && state !== 'sending')
    })
  }
  await exportNamedRubbish(fixture.camera)
  await symlink(fixture.camera, `${fixture.camera}/Quixwood-loop`).catch(() => undefined)
  await until('the rubbish is noted', async () => {
    const answer = await ask('station.status', {})
    const folders = answer.ok ? calls['station.status'].output.parse(answer.value).folders : []
    return (folders[0]?.notes.length ?? 0) > 5
  })
  await askWrongly(ask)
}

/** What a screen or a script may ask wrongly, with a patient's name in it. */
async function askWrongly(ask: Ask): Promise<void> {
  const fields = namedFields(99)
  await ask('submissions.create', { fields, images: [{ path: `/nowhere/${FULL_NAME}.jpg` }] })
  await ask('submissions.create', { fields: { ...fields, age: FULL_NAME, od_iop: 7_000 }, images: [] })
  await ask('submissions.update', { id: FULL_NAME, fields: { last_name: 17 } })
  await ask('submissions.get', { id: FULL_NAME })
  await ask('folders.tryProfile', { path: `/nowhere/${FULL_NAME}` })
  await ask('cases.list', { search: FULL_NAME, refresh: true })
  await ask(FULL_NAME as never)
}
