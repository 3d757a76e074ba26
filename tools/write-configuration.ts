/** `npm run docs`: writes docs/configuration.md. With `--check` it only says whether the page is up to date. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { configurationPage } from './configuration-page.ts'
import { projectFolder } from './step.ts'

const isChecking = process.argv.includes('--check')
const path =
  process.argv.slice(2).find((parameter) => parameter !== '--check') ??
  join(projectFolder, 'docs/configuration.md')
const page = configurationPage()
if (!isChecking) writeFileSync(path, page)
else if (readFileSync(path, 'utf8') !== page) {
  console.log('docs/configuration.md differs from the settings. Run `npm run docs`.')
  process.exitCode = 1
}
