/** The steps that look at the source, and the one that builds it. */
import type { Step } from './step.ts'

export const sourceSteps: readonly Step[] = [
  { name: 'format', packageName: 'oxfmt', program: 'oxfmt', parameters: ['--check', '.'] },
  { name: 'lint', packageName: 'oxlint', program: 'oxlint', parameters: ['--deny-warnings', '.'] },
  // Four checkers, the default, resolve the same types four times: twice the processor time on two cores.
  { name: 'types', packageName: 'typescript', program: 'tsc', parameters: ['-b', '--checkers', '1'] },
  {
    name: 'boundaries',
    packageName: 'dependency-cruiser',
    program: 'depcruise',
    parameters: [
      'src-shared',
      'src-main',
      'src-renderer',
      'test',
      'tools',
      '--config',
      '.dependency-cruiser.cjs',
    ],
  },
  { name: 'unused', packageName: 'knip', program: 'knip', parameters: [] },
  { name: 'house', script: 'tools/house.ts', parameters: [] },
  { name: 'lockfile', script: 'tools/check-lockfile.ts', parameters: [] },
  { name: 'documents', script: 'tools/write-configuration.ts', parameters: ['--check'] },
]

/** Main, preload and renderer into `out/`; the end-to-end tests use what is built, as the product does. */
export const buildStep: Step = {
  name: 'build',
  packageName: 'electron-vite',
  program: 'electron-vite',
  parameters: ['build'],
}
