/**
 * The system calls of a whole visit: the process of the station makes none on a path of the camera, of the clinic's folder for
 * reports, of the patient list, or of a file that a person chose; and each file of a visit is opened once.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { exportVisit, syntheticPatient } from '../../../camera/export-visit.ts'
import { TODAY } from '../../../camera/today.ts'
import { quickFolder } from '../../../end-to-end/station-fixture.ts'
import { openPracticeService } from '../../../practice-service/practice-service.ts'
import { startStation, until } from '../../../station-process/start-station.ts'
import { drawing } from '../../reader/draw-images.ts'

/** Why it cannot be traced here; null if it can. */
function whyNot(): string | null {
  if (process.platform !== 'linux') return 'there is strace on Linux only'
  const tried = spawnSync('strace', ['-f', '-qq', '-o', '/dev/null', 'true'])
  if (tried.error) return 'strace is not installed'
  return tried.status === 0 ? null : 'strace may not trace here'
}

/** The threads of a process now. */
const threadsOf = (pid: number): readonly string[] => readdirSync(`/proc/${pid}/task`)

it('the station opens no foreign path itself, and each file of a visit is opened once', async (context) => {
  const why = whyNot()
  if (why !== null) return context.skip(why)
  const root = mkdtempSync(join(tmpdir(), 'fundus-courier-paths-'))
  const foreign = join(root, 'foreign')
  const [camera, clinic, chosen] = ['camera', 'clinic', 'chosen'].map((name) => join(foreign, name)) as [
    string,
    string,
    string,
  ]
  for (const folder of [camera, clinic, chosen]) mkdirSync(folder, { recursive: true })
  const list = join(foreign, 'patients.csv')
  const people = [1, 2].map((seed) => syntheticPatient(seed))
  const row = ({ history_number, last_name, first_name }: (typeof people)[number]): string =>
    [history_number, last_name, first_name].join(';')
  writeFileSync(list, ['history_number;last_name;first_name', ...people.map(row)].join('\n'))
  writeFileSync(join(chosen, 'right.jpg'), await drawing().jpeg().toBuffer())
  const service = await openPracticeService({ answerDelayMs: 10, reportDelayMs: 100 })
  onTestFinished(() => service.close())

  const log = join(root, 'strace.log')
  const dataFolder = join(root, 'one', 'data')
  mkdirSync(dataFolder, { recursive: true })
  const station = await startStation({
    dataFolder,
    startedBy: ['strace', '--seccomp-bpf', '-D', '-f', '-qq', '-s', '400', '-o', log, '-e', 'trace=%file'],
    config: {
      service: service.account,
      centerId: '101',
      folders: [quickFolder(camera)],
      patientList: { path: list },
      reports: { checkSeconds: 1, saveTo: clinic },
      storage: { lowWaterBytes: 0, ballastBytes: 0 },
    },
  })
  onTestFinished(() => station.kill())
  const before = threadsOf(station.pid)
  const visit = await exportVisit({
    folder: camera,
    seed: 3,
    visitDate: TODAY,
    imagesPerEye: 1,
    sidecar: 'first',
  })
  await until('the report was copied', () => readdirSync(clinic).length > 0)
  const { id } = await station.value('submissions.create', {
    fields: { history_number: people[0]?.history_number ?? '', visit_date: TODAY },
    images: [{ path: join(chosen, 'right.jpg'), eye: 'right' }],
  })
  expect((await station.value('submissions.get', { id })).images).toHaveLength(1)
  await station.ask('folders.countExisting', { path: camera })
  await station.ask('profiles.draft', { path: camera })
  await until(
    'the patient list was read',
    async () => (await station.value('station.status')).patientList.patients === 2,
  )
  const own = new Set([...before, ...threadsOf(station.pid)])
  await station.stop()

  const calls = readFileSync(log, 'utf8')
    .split('\n')
    .filter((line) => line.includes(`"${foreign}/`))
    .map((line) => ({ thread: /^\d+/.exec(line)?.[0] ?? '', call: line.replace(/^\d+\s+/, '') }))
  // The others made them.
  for (const name of ['camera', 'clinic', 'chosen', 'patients.csv'])
    expect(
      calls.some(({ call }) => call.startsWith('openat') && call.includes(join(foreign, name))),
      name,
    ).toBe(true)
  expect(
    calls.filter(({ thread }) => own.has(thread)).map(({ call }) => call.replaceAll(foreign, '')),
  ).toEqual([])
  const opened = calls.flatMap(
    ({ call }) => /^openat\(.*"([^"]+\.(?:jpg|json))".* = \d+$/.exec(call)?.[1] ?? [],
  )
  const { images, sidecarPath } = visit
  for (const path of [...images.map((image) => image.path), sidecarPath ?? ''])
    expect(
      opened.filter((one) => one === join(camera, path)),
      path,
    ).toHaveLength(1)
}, 90_000)
