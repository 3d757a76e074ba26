import { globSync, readFileSync } from 'node:fs'
import { join, matchesGlob, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { projectsOf, testProjects, type TestProject } from '../../tools/test-projects.ts'

const root = resolve(import.meta.dirname, '../..')
const files = globSync('test/**/*.test.*', { cwd: root }).map((file) => file.replaceAll('\\', '/'))

function holds({ include, exclude = [] }: TestProject, file: string): boolean {
  const matches = (pattern: string): boolean => matchesGlob(file, pattern)
  return include.some(matches) && !exclude.some(matches)
}

describe('the projects of vitest', () => {
  it('hold every test file in exactly one', () => {
    expect(files.length).toBeGreaterThan(0)
    const counted = files.map((file) => ({
      file,
      count: Object.values(testProjects).filter((project) => holds(project, file)).length,
    }))
    expect(counted.filter(({ count }) => count !== 1)).toEqual([])
  })

  it('let no spec share its modules that replaces one of Node or changes the environment', () => {
    const { isolated, ...others } = testProjects
    const shared = [others.shared, others.renderer, others.station, others.hosts]
    const changing = files.filter((file) => {
      const changes = /\bvi\.mock\(|\/failing-disk\.ts'|process\.env\[[^\]]*\] = |stubEnv\('TZ'/
      return (
        shared.some((project) => holds(project, file)) && changes.test(readFileSync(join(root, file), 'utf8'))
      )
    })
    expect(changing).toEqual([])
    expect(isolated.include.length).toBeGreaterThan(0)
  })

  it('name no file that is not there', () => {
    const patterns = Object.values(testProjects).flatMap(({ include, exclude = [] }) =>
      include.concat(exclude),
    )
    expect(patterns.filter((file) => !file.includes('*') && !files.includes(file))).toEqual([])
  })

  it('are all in the long run, and some in the default run', () => {
    const layers = ['unit', 'station', 'processes'] as const
    expect(projectsOf('long', layers).toSorted()).toEqual(Object.keys(testProjects).toSorted())
    expect(projectsOf('default', layers)).toContain('station')
    expect(projectsOf('default', layers)).not.toContain('chaos')
    expect(projectsOf('default', ['unit'])).not.toContain('station')
  })
})
