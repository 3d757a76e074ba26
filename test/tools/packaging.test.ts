import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'

const projectFolder = resolve(import.meta.dirname, '../..')

type Configuration = {
  readonly appId: string
  readonly npmRebuild: boolean
  readonly electronFuses: Readonly<Record<string, boolean>>
  readonly nsis: Readonly<Record<string, boolean>>
}
type BuilderLog = { readonly add: () => void; readonly isEnabled: boolean }

/** What electron-builder itself starts with; not among its exports. */
const builder: {
  readonly getConfig: (folder: string, path: string, given: null) => Promise<Configuration>
  readonly validateConfiguration: (configuration: Configuration, log: BuilderLog) => Promise<void>
} = createRequire(createRequire(import.meta.url).resolve('electron-builder'))(
  'app-builder-lib/out/util/config/config.js',
)

const read = () => builder.getConfig(projectFolder, 'electron-builder.yml', null)

describe('the description of the packages', () => {
  it('has no unknown word and no wrong type', async () => {
    await expect(
      builder.validateConfiguration(await read(), { add: () => undefined, isEnabled: false }),
    ).resolves.toBeUndefined()
  })

  it('closes every way to run other code in the app, and keeps unsent cases when it is removed', async () => {
    const { electronFuses, nsis, npmRebuild } = await read()
    expect(electronFuses).toEqual({
      runAsNode: false,
      enableCookieEncryption: true,
      enableNodeOptionsEnvironmentVariable: false,
      enableNodeCliInspectArguments: false,
      enableEmbeddedAsarIntegrityValidation: true,
      onlyLoadAppFromAsar: true,
      grantFileProtocolExtraPrivileges: false,
    })
    expect(nsis['deleteAppDataOnUninstall']).toBe(false)
    expect(npmRebuild).toBe(false)
  })

  it('gives the app the name that Windows knows its notices by', async () => {
    const main = readFileSync(resolve(projectFolder, 'src-main/electron/main.ts'), 'utf8')
    expect(main).toContain(`app.setAppUserModelId('${(await read()).appId}')`)
  })
})

describe('the icons', () => {
  it.each([['icon.png', 1_024]])(
    '%s is %i pixels wide and has a see-through ground',
    async (name, sizePixels) => {
      const { width, height, hasAlpha } = await sharp(resolve(projectFolder, 'assets', name)).metadata()
      expect({ width, height, hasAlpha }).toEqual({ width: sizePixels, height: sizePixels, hasAlpha: true })
    },
  )
})
