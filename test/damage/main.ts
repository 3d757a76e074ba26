/**
 * Measures the check of image data: how much planted damage passes in silence, how many sound photographs are doubted,
 * and how long it takes. `node tools/run.mjs test/damage/main.ts`
 *
 * `--images N`   pictures of each kind; 30
 * `--spots N`   spots in each picture for each damage; 200
 * `--sound N`    sound photographs; 2000
 * `--only NAME`  only kinds whose names begin so
 * `--seed N`     another draw
 */
import { parseArgs } from 'node:util'
import { print, printTable } from '../demo/print.ts'
import { missingPrograms } from './encoders.ts'
import { damageTable, measureDamage, tooManySilent } from './measure-damage.ts'
import { measureSound, measureTime, soundTable, timeTable } from './measure-sound.ts'

const { values } = parseArgs({
  options: {
    images: { type: 'string', default: '30' },
    spots: { type: 'string', default: '200' },
    sound: { type: 'string', default: '2000' },
    only: { type: 'string', default: '' },
    seed: { type: 'string', default: '1' },
  },
})
const [images, spots, sound, seed] = [values.images, values.spots, values.sound, values.seed].map(Number)

if (images && spots) {
  const counts = await measureDamage({ seed: seed ?? 1, images, spots, only: values.only })
  print(`${images} pictures of each kind, ${spots} spots in each`)
  printTable(damageTable(counts))
  if (tooManySilent(counts).length > 0) process.exitCode = 1
}
if (sound) {
  print('sound photographs')
  const counts = await measureSound(seed ?? 1, sound)
  printTable(soundTable(counts))
  const missing = missingPrograms()
  if (missing.length > 0) print(`not on this machine: ${missing.join(', ')}`)
  if (counts.some(({ damaged, maybeDamaged }) => damaged.length + maybeDamaged.length > 0))
    process.exitCode = 1
}
print('processor time, the shortest of nine')
printTable(timeTable(await measureTime()))
