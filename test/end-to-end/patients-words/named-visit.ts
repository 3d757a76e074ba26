/** Visits of people whose names nothing else in a station contains, so that one word of them is found anywhere. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { drawFundus } from '../../camera/draw-fundus.ts'

/** Every word of these people holds one of them. Their images, fields, folders and files are full of them. */
export const TELLING = /quixwood|zacarias|zqx/i

export type NamedVisit = {
  readonly historyNumber: string
  /** Below the watched folder. */
  readonly folder: string
}

const VISIT_DATE = '2026-11-20'

/** The fields of such a person; every text names the person. */
export function namedFields(number: number): Readonly<Record<string, string | number>> {
  return {
    history_number: `ZQX-${4_700 + number}`,
    first_name: 'Zacarias',
    last_name: `Quixwood ${number}`,
    gender: 1,
    age: 61,
    diabetes: 1,
    visit_date: VISIT_DATE,
    visit_reason: 'Zacarias sees less',
    ophthalmic_antecedents: 'Quixwood senior had glaucoma',
    other_relevant_info: 'called Zaca, zqx',
  }
}

/** Writes a whole visit as a camera with a sidecar does. */
export async function exportNamed(camera: string, number: number): Promise<NamedVisit> {
  const fields = namedFields(number)
  const historyNumber = String(fields['history_number'])
  const folder = `${historyNumber}_Quixwood_Zacarias_20261120`
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
  return { historyNumber, folder }
}

/** Files that go wrong, each under names of people. */
export async function exportNamedRubbish(camera: string): Promise<void> {
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
  await write('ZQX-6_20261120/case.json', '{ "history_number": "ZQX-6", "last_name": "Quixwood", "age": 4')
  await write('ZQX-7_20261120/case.json', '{ "last_name": ["Quixwood"], "age": "Zacarias", "od_iop": "zqx" }')
  await write(
    'ZQX-7_20261120/ZQX-7_OD_1.jpg',
    await drawFundus({ eye: 'left', seed: 7_901, width: 320, height: 240 }),
  )
  await write('ZQX-8.zip', 'PK\u0003\u0004Quixwood')
  await write('ZQX-9_Quixwood.csv', 'history_number,last_name\nZQX-9,"Quixwood\n')
  await write('ZQX-9_Quixwood.xml', '<patient><last_name>Quixwood</patient>')
}
