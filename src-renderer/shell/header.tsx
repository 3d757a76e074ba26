import { Group } from '@mantine/core'
import { NamesControl } from '../privacy/names-control.tsx'
import { InitialsControl } from '../who/who-control.tsx'
import { CenterMenu } from './center-menu.tsx'
import { ConnectionLight } from './connection-light.tsx'
import css from './header.module.css'
import { LanguageMenu } from './language-menu.tsx'
import { PauseControl } from './pause-control.tsx'
import { SchemeControl } from './scheme-control.tsx'
import { t } from '../words/t.ts'

/** What is true on every screen: the product, the center, whether it sends, and how the service stands. */
export function Header() {
  return (
    <header className={css.header}>
      <a href="#/queue" className={css.brand}>
        <img src="./icon.svg" alt="" width={30} height={30} />
        <span>{t('shell:product')}</span>
      </a>
      <CenterMenu />
      <span className={css.gap} />
      <Group gap={8} wrap="nowrap">
        <ConnectionLight />
        <InitialsControl />
        <PauseControl />
        <NamesControl />
        <LanguageMenu />
        <SchemeControl />
      </Group>
    </header>
  )
}
