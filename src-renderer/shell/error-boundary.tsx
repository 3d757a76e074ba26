import { Button, Group } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { Component, type ReactNode } from 'react'
import { EmptyPlace } from '../parts/empty-place.tsx'
import { SHELL_WORDS } from '../words/shell-words.ts'

type Props = { readonly children: ReactNode }
type State = { readonly hasFailed: boolean }

/** Keeps a screen that cannot be drawn from blanking the others. Only a class can catch what children throw. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { hasFailed: false }

  static getDerivedStateFromError(): State {
    return { hasFailed: true }
  }

  override render(): ReactNode {
    if (!this.state.hasFailed) return this.props.children
    const { crash } = SHELL_WORDS
    return (
      <EmptyPlace icon={IconAlertTriangle} title={crash.title} body={crash.body}>
        <Group gap="xs" mt="sm">
          <Button onClick={() => this.setState({ hasFailed: false })}>{crash.again}</Button>
          <Button variant="default" onClick={() => window.location.reload()}>
            {crash.reload}
          </Button>
        </Group>
      </EmptyPlace>
    )
  }
}
