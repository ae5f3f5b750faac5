/** Every part as it looks, for pictures of it. Times and numbers stand still. */
import { AddIcon, ArchiveIcon, DeleteIcon, MuteIcon } from '../icons.ts';
import type { ReactNode } from 'react';
import { Bar, Share, ShareList, SplitBar } from '../Bar.tsx';
import { Button, IconButton } from '../Button.tsx';
import { Chip, chipClass, Chips, ChipText } from '../Chip.tsx';
import { Choice, ChoiceGroup } from '../Choice.tsx';
import { DataList, DataRow } from '../DataList.tsx';
import { Cell, DataTable, HeadCell, RowHead, sortClass, SortMark } from '../DataTable.tsx';
import { Disclosure } from '../Disclosure.tsx';
import { SelectField, TextArea, TextField, Toggle } from '../Field.tsx';
import { Flag } from '../Flag.tsx';
import { FieldRow } from '../Form.tsx';
import { Kbd } from '../Kbd.tsx';
import { KeyValue, Pair, Stat, Stats } from '../KeyValue.tsx';
import { Columns, Inline, Sides, Stack } from '../Layout.tsx';
import { Level, levels } from '../Level.tsx';
import { Notice } from '../Notice.tsx';
import { Crumbs, PageBar, Section } from '../Page.tsx';
import { Panel } from '../Panel.tsx';
import { rowLinkClass } from '../row-link.ts';
import { EmptyState, ErrorState } from '../State.tsx';
import { SidePanel } from '../SidePanel.tsx';
import { TabCount, tabClass, Tabs } from '../Tabs.tsx';
import { Facts, Nothing, Text } from '../Text.tsx';
import { SearchInput, Toolbar, ToolbarGap } from '../Toolbar.tsx';

const link = (text: string, className: string) => (
  <a href="#there" className={className}>
    {text}
  </a>
);

export const gallery: Readonly<Record<string, ReactNode>> = {
  buttons: (
    <Inline>
      <Button>Normal</Button>
      <Button variant="primary">Primary</Button>
      <Button variant="ghost">Ghost</Button>
      <Button variant="danger">Danger</Button>
      <Button busy>Busy</Button>
      <Button size="small" icon={<AddIcon size={14} />}>
        New team
      </Button>
      <IconButton label="Archive" icon={<ArchiveIcon size={16} />} />
    </Inline>
  ),
  marks: (
    <Inline gap={16}>
      {levels.map((level) => (
        <Level key={level} level={level} word />
      ))}
      <Flag kind="new" />
      <Flag kind="regressed" />
      <Flag kind="resolved" />
      <Flag kind="bad">failing</Flag>
      <Kbd keys="g i" />
    </Inline>
  ),
  chips: (
    <Chips label="Filters">
      <Chip name="level" removes aria-label="Remove level error">
        error
      </Chip>
      <Chip name="release" removes aria-label="Remove release">
        shop@2.14.0-a-very-long-name-of-a-release-that-does-not-fit-into-a-chip-at-all
      </Chip>
      <Chip aria-pressed="true">chosen</Chip>
      <a href="#chip" className={chipClass}>
        <ChipText name="type">a link</ChipText>
      </a>
    </Chips>
  ),
  toolbar: (
    <Toolbar label="Releases">
      <SearchInput label="Search releases" placeholder="Search releases" />
      <Button>Columns</Button>
      <ToolbarGap />
      <Button variant="primary">New rule</Button>
    </Toolbar>
  ),
  'search with steps': (
    <Toolbar>
      <SearchInput
        label="Search spans"
        defaultValue="op:db"
        end={
          <>
            <output>2 of 12</output>
            <IconButton size="small" label="Next match" icon={<AddIcon size={14} />} />
          </>
        }
      />
      <Button size="small" aria-pressed="true">
        Critical path
      </Button>
    </Toolbar>
  ),
  'side panel': (
    <SidePanel
      label="Span"
      title="SELECT price FROM item WHERE id = 17 AND shop = 3"
      close="Close details"
      onClose={() => undefined}
    >
      <KeyValue compact label="Facts">
        <Pair name="Status">ok</Pair>
        <Pair name="Description">SELECT price FROM item WHERE id = 17 AND shop = 3 AND currency IS NOT NULL</Pair>
      </KeyValue>
    </SidePanel>
  ),
  tabs: (
    <Tabs label="Views">
      <a href="#a" className={tabClass} aria-current="page">
        Unresolved <TabCount>12</TabCount>
      </a>
      {link('For review', tabClass)}
      {link('Archived', tabClass)}
    </Tabs>
  ),
  bar: (
    <PageBar
      title={
        <Crumbs>
          <a href="#performance">Performance</a>
          <a href="#vitals">Web Vitals</a>
          /product/[id]
        </Crumbs>
      }
    >
      <Button variant="ghost">Last 24 hours</Button>
    </PageBar>
  ),
  section: (
    <Section title="Teams" note="Issues can be assigned to a team." actions={<Button size="small">New team</Button>}>
      <Nothing>No teams yet.</Nothing>
    </Section>
  ),
  panels: (
    <Sides
      main={
        <Panel title="Commits" id="commits" count={3}>
          <Nothing>No commits.</Nothing>
        </Panel>
      }
      side={
        <Panel title="Deploys" id="deploys" boxed={false}>
          <Text tone="faint">None yet</Text>
        </Panel>
      }
    />
  ),
  list: (
    <DataList label="Tokens">
      <DataRow
        lead={<Level level="error" />}
        title={<strong>CI of shop</strong>}
        facts={
          <Facts>
            For builds
            {null}
            Created by Jane Doe
          </Facts>
        }
        end={
          <>
            <Text tone="warning">expires 3 May</Text>
            <span>never used</span>
          </>
        }
        actions={<Button size="small">Revoke</Button>}
      />
      <DataRow title={link('A row that is a link', rowLinkClass)} facts={<Facts>One fact</Facts>} end="2 min ago" />
      <DataRow
        current
        title={
          <Disclosure open controls="below" onToggle={() => undefined}>
            <strong>Payments</strong>
          </Disclosure>
        }
      >
        <div id="below">What it unfolds.</div>
      </DataRow>
    </DataList>
  ),
  table: (
    <DataTable
      label="Transactions"
      boxed
      head={
        <>
          <HeadCell main>Transaction</HeadCell>
          <HeadCell number sort="descending">
            <button type="button" className={sortClass}>
              Duration <SortMark sort="descending" />
            </button>
          </HeadCell>
          <HeadCell number hide="narrow">
            Requests
          </HeadCell>
        </>
      }
    >
      <tr>
        <RowHead>{link('GET /product/[id]', rowLinkClass)}</RowHead>
        <Cell number>320 ms</Cell>
        <Cell number hide="narrow">
          1,204
        </Cell>
      </tr>
      <tr>
        <RowHead>{link('POST /checkout', rowLinkClass)}</RowHead>
        <Cell number>1.2 s</Cell>
        <Cell number hide="narrow">
          87
        </Cell>
      </tr>
    </DataTable>
  ),
  'stacked table': (
    <DataTable
      label="Files"
      boxed
      dense
      stacked
      head={
        <>
          <HeadCell main>File</HeadCell>
          <HeadCell number>Size</HeadCell>
        </>
      }
    >
      <tr>
        <RowHead>static/chunks/main.js</RowHead>
        <Cell number label="Size">
          104.9 MB
        </Cell>
      </tr>
    </DataTable>
  ),
  values: (
    <Stack>
      <Stats>
        <Stat name="Crash-free sessions" tone="meh" note="before 99.9%">
          98.2%
        </Stat>
        <Stat name="Adoption">62%</Stat>
      </Stats>
      <KeyValue>
        <Pair name="Browser">Chrome 141</Pair>
        <Pair name="Address">https://shop.example.com/product/1?with=a-very-long-search</Pair>
      </KeyValue>
    </Stack>
  ),
  shares: (
    <Columns min={220}>
      <ShareList label="Browsers">
        <Share share={0.91} name="Chrome" value="91%" />
        <Share share={0.09} name="Firefox" value="9%" />
      </ShareList>
      <Stack gap={8}>
        <Bar share={0.4} tone="warning" />
        <SplitBar
          label="60% good, 30% fair, 10% poor"
          parts={[
            { share: 0.6, tone: 'ok' },
            { share: 0.3, tone: 'warning' },
            { share: 0.1, tone: 'error' },
          ]}
        />
      </Stack>
    </Columns>
  ),
  fields: (
    <Stack>
      <FieldRow>
        <TextField label="Name" defaultValue="Payments" hint="Up to 64 characters" />
        <TextField label="E-mail" defaultValue="jane" error="Enter an e-mail address" />
        <SelectField label="Role">
          <option>Member</option>
        </SelectField>
      </FieldRow>
      <TextArea label="Rules" defaultValue="path:src/** #payments" />
      <Toggle label="Send a summary" hint="On Mondays" defaultChecked />
      <ChoiceGroup label="Works on">
        <Choice label="shop" defaultChecked />
        <Choice label="billing" />
      </ChoiceGroup>
      <ChoiceGroup label="Kind" layout="lines">
        <Choice type="radio" name="kind" label="Organization" hint="For builds" defaultChecked />
        <Choice type="radio" name="kind" label="Personal" end="user" />
      </ChoiceGroup>
    </Stack>
  ),
  notices: (
    <Stack gap={8}>
      <Notice>Ownership rules come from CODEOWNERS.</Notice>
      <Notice tone="ok">The token is ready.</Notice>
      <Notice tone="warning">Two source maps are missing.</Notice>
      <Notice tone="error">The rule was not saved.</Notice>
    </Stack>
  ),
  empty: (
    <EmptyState title="No teams yet" icon={<MuteIcon size={24} />}>
      <p>Create a team for each group of people.</p>
      <Button icon={<DeleteIcon size={14} />}>Remove filters</Button>
    </EmptyState>
  ),
  error: <ErrorState error={new Error('The server answered with status 502.')} retry={() => undefined} />,
};
