/** Runs the camera alone: `node test/camera/main.ts --out DIR [--visits 3] [--pace slowly] [--layout nested]`. */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { exportVisit, type Layout } from './export-visit.ts'

const LAYOUTS: readonly Layout[] = ['folderPerVisit', 'nested', 'flat']
const FORMATS = ['jpeg', 'png', 'tiff'] as const
const PACES = ['at once', 'slowly'] as const

const { values } = parseArgs({
  options: {
    out: { type: 'string' },
    visits: { type: 'string', default: '1' },
    images: { type: 'string', default: '2' },
    pace: { type: 'string', default: 'at once' },
    layout: { type: 'string', default: 'folderPerVisit' },
    format: { type: 'string', default: 'jpeg' },
    first: { type: 'string', default: '1' },
    sidecar: { type: 'boolean', default: false },
  },
})
if (values.out === undefined) throw new Error('--out DIR says where the camera exports to.')
const layout = oneOf('layout', values.layout, LAYOUTS)
const visitDate = new Date().toISOString().slice(0, 10)
for (let visit = 0; visit < Number(values.visits); visit += 1) {
  const { patient, images } = await exportVisit({
    folder: resolve(values.out),
    seed: Number(values.first) + visit,
    visitDate,
    layout,
    format: oneOf('format', values.format, FORMATS),
    pace: oneOf('pace', values.pace, PACES),
    imagesPerEye: Number(values.images),
    sidecar: values.sidecar && layout !== 'flat' ? 'last' : 'none',
  })
  process.stdout.write(`${patient.history_number} ${visitDate}: ${String(images.length)} images\n`)
}

function oneOf<Value extends string>(name: string, value: string, all: readonly Value[]): Value {
  const found = all.find((known) => known === value)
  if (found === undefined) throw new Error(`--${name} is one of: ${all.join(', ')}`)
  return found
}
