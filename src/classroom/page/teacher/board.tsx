// The live board: who is where, for how long, and who needs help.

import { type Signal, useComputed, useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { readStored, writeStored } from "../../../course/storage.ts";
import type { BoardRow, BoardState, Class } from "../../wire.ts";
import { labTitle, lessonAt, stepTitle } from "../outline.ts";
import { BoardFeed } from "./board-feed.ts";
import { type BoardOrder, countStates, dotsOf, inOrder, Numbers } from "./board-rows.ts";
import { lastingText } from "./durations.ts";
import { MessageBox } from "./message-box.tsx";
import type { Room } from "./room.ts";
import { fragmentOf } from "./views.ts";

const tickMs = 10_000;
/** Narrower, the board is a list of cards. */
const cards = "(max-width: 52rem)";

/** How the board is shown, kept in this browser. */
interface Showing {
  readonly order: BoardOrder;
  readonly namesHidden: boolean;
}

function readShowing(): Showing {
  const kept = readStored("classroom.board") as Partial<Showing> | undefined;
  return { order: kept?.order === "name" ? "name" : "stuck", namesHidden: kept?.namesHidden === true };
}

export interface RowProps {
  readonly room: Room;
  readonly classId: string;
  readonly row: BoardRow;
  /** The learner's name, or what stands for it. */
  readonly name: string;
  /** By the server's clock. */
  readonly nowMs: number;
  readonly write: () => void;
}

interface BoardProps {
  readonly room: Room;
  readonly own: Class;
  /** The server has answered without a board. */
  readonly refused: () => void;
}

export function BoardView({ room, own, refused }: BoardProps) {
  const { t } = room;
  const feed = useMemo(() => listen(room, own.id, refused), [room, own.id]);
  const numbers = useMemo(() => new Numbers(), [own.id]);
  useEffect(() => () => feed.close(), [feed]);
  const showing = useSignal(readShowing());
  const tick = useTick();
  const isNarrow = useNarrow();
  const writingTo = useSignal<string | undefined>(undefined);
  const said = useSignal("");
  const rows = useComputed(() => feed.board.value?.rows ?? []);
  const show = (change: Partial<Showing>): void => {
    showing.value = { ...showing.value, ...change };
    writeStored("classroom.board", showing.value);
  };
  const nameOf = ({ learner, name }: BoardRow): string =>
    showing.value.namesHidden ? t("classroom.teacher.board.number", { number: numbers.of(learner) }) : name;
  const propsOf = (row: BoardRow): RowProps => {
    const write = (): void => {
      said.value = "";
      writingTo.value = row.learner;
    };
    return { room, classId: own.id, row, name: nameOf(row), nowMs: tick.value && feed.nowMs, write };
  };
  // Everybody has a number from the start, in the server's order.
  for (const { learner } of rows.value) numbers.of(learner);
  const shown = inOrder(rows.value, showing.value.order, room.language).map(propsOf);
  const addressed = rows.value.find(({ learner }) => learner === writingTo.value);
  return (
    <section class="board" aria-labelledby="board-title">
      <div class="board-head">
        <h2 id="board-title">{t("classroom.teacher.board.title")}</h2>
        <Counts room={room} rows={rows.value} />
        <label class="choice">
          {t("classroom.teacher.board.sort")}
          <select
            value={showing.value.order}
            onChange={({ currentTarget }) => show({ order: currentTarget.value === "name" ? "name" : "stuck" })}
          >
            <option value="stuck">{t("classroom.teacher.board.sortStuck")}</option>
            <option value="name">{t("classroom.teacher.board.sortName")}</option>
          </select>
        </label>
        <label class="choice">
          <input
            type="checkbox"
            checked={showing.value.namesHidden}
            onChange={({ currentTarget }) => show({ namesHidden: currentTarget.checked })}
          />
          {t("classroom.teacher.board.hide")}
        </label>
      </div>
      <p class="lost" role="status">
        {feed.lost.value ? t("classroom.teacher.board.lost") : ""}
      </p>
      <p class="said" role="status">
        {said.value}
      </p>
      {feed.board.value === undefined && !feed.lost.value && <p class="waiting">{t("classroom.teacher.loading")}</p>}
      {feed.board.value !== undefined && shown.length === 0 && <p>{t("classroom.teacher.board.none")}</p>}
      {shown.length > 0 && (isNarrow.value ? <Cards all={shown} room={room} /> : <Table all={shown} room={room} />)}
      <MessageBox room={room} classId={own.id} to={undefined} label={t("classroom.teacher.message.toAll")} />
      {addressed !== undefined && (
        <WriteDialog
          room={room}
          classId={own.id}
          row={addressed}
          name={nameOf(addressed)}
          close={() => (writingTo.value = undefined)}
          sent={() => (said.value = t("classroom.teacher.message.sentTo", { name: nameOf(addressed) }))}
        />
      )}
    </section>
  );
}

function listen(room: Room, classId: string, refused: () => void): BoardFeed {
  return new BoardFeed({
    open: () => new EventSource(room.api.address(`/classes/${classId}/board/events`)),
    refused,
    now: Date.now,
  });
}

/** How long somebody is at a step goes on between boards. */
function useTick(): Signal<number> {
  const tick = useSignal(1);
  useEffect(() => {
    const timer = setInterval(() => (tick.value += 1), tickMs);
    return () => clearInterval(timer);
  }, [tick]);
  return tick;
}

function useNarrow(): Signal<boolean> {
  const query = useMemo(() => matchMedia(cards), []);
  const isNarrow = useSignal(query.matches);
  useEffect(() => {
    const look = (): void => {
      isNarrow.value = query.matches;
    };
    query.addEventListener("change", look);
    return () => query.removeEventListener("change", look);
  }, [query, isNarrow]);
  return isNarrow;
}

function Counts({ room, rows }: { readonly room: Room; readonly rows: readonly BoardRow[] }) {
  return (
    <ul class="counts">
      {[...countStates(rows)].map(([state, count]) => (
        <li key={state}>
          <State room={room} state={state} /> {count}
        </li>
      ))}
    </ul>
  );
}

/** A shape of its own for each, beside its word. */
const shapes: Readonly<Record<BoardState, string>> = {
  working: "M8 2.5a5.5 5.5 0 1 0 0 11a5.5 5.5 0 0 0 0-11z",
  stuck: "M8 1.5L15 14H1z",
  idle: "M4 3h3v10H4zM9 3h3v10H9z",
  away: "M2 7h12v2H2z",
  new: "M8 1.5L14.5 8L8 14.5L1.5 8z",
};

function State({ room, state }: { readonly room: Room; readonly state: BoardState }) {
  return (
    <span class="state" data-state={state}>
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <path d={shapes[state]} />
      </svg>
      {room.t(`classroom.teacher.board.states.${state}`)}
    </span>
  );
}

function Place({ room, row }: { readonly room: Room; readonly row: BoardRow }) {
  const { t, outline } = room;
  const { presence } = row;
  if (presence === null) return <span class="soft">{t("classroom.teacher.board.notYet")}</span>;
  const lesson = lessonAt(outline, presence.place);
  const title = lesson?.title ?? (presence.lab === null ? undefined : labTitle(outline, presence.lab));
  if (title === undefined) return <span class="soft">{t("classroom.teacher.board.elsewhere")}</span>;
  return (
    <>
      <span class="place-lesson">{title}</span>
      {presence.lab !== null && presence.step !== null && (
        <span class="place-step">{stepTitle(outline, presence.lab, presence.step)}</span>
      )}
    </>
  );
}

function Dots({ room, row }: { readonly room: Room; readonly row: BoardRow }) {
  const dots = dotsOf(row, room.outline);
  if (dots.length === 0) return null;
  const passed = dots.filter((dot) => dot === "passed").length;
  const label = room.t("classroom.teacher.board.stepsOf", { passed, total: dots.length });
  return (
    <span class="dots" role="img" aria-label={label} title={label}>
      {dots.map((dot, index) => (
        <i key={index} data-dot={dot} />
      ))}
    </span>
  );
}

function Actions({ room, name, write }: RowProps) {
  const { t } = room;
  return (
    <button class="button small" type="button" aria-label={t("classroom.teacher.board.writeTo", { name })} onClick={write}>
      {t("classroom.teacher.board.write")}
    </button>
  );
}

function NameLink({ classId, row, name }: RowProps) {
  return <a href={fragmentOf({ kind: "learner", id: classId, learner: row.learner })}>{name}</a>;
}

const columns = ["learner", "state", "where", "since", "attempts", "hints", "steps", "lessons", "points", "actions"] as const;
const numeric: readonly string[] = ["since", "attempts", "hints", "lessons", "points"];

function Table({ room, all }: { readonly room: Room; readonly all: readonly RowProps[] }) {
  const { t } = room;
  return (
    <div class="table-frame">
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col" class={numeric.includes(column) ? "number" : undefined}>
                {t(`classroom.teacher.board.${column}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {all.map((props) => (
            <Row key={props.row.learner} {...props} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row(props: RowProps) {
  const { room, row } = props;
  return (
    <tr data-state={row.state}>
      <th scope="row">
        <NameLink {...props} />
      </th>
      <td>
        <State room={room} state={row.state} />
      </td>
      <td class="place-cell">
        <Place room={room} row={row} />
      </td>
      <td class="number">{since(props)}</td>
      <td class="number">{row.presence?.attempts ?? ""}</td>
      <td class="number">{row.presence?.hints ?? ""}</td>
      <td>
        <Dots room={room} row={row} />
      </td>
      <td class="number">{row.lessonsDone}</td>
      <td class="number">{row.points}</td>
      <td>
        <Actions {...props} />
      </td>
    </tr>
  );
}

/** At the step; of who is away, since the last sign. */
function since({ room, row, nowMs }: RowProps): string {
  if (row.presence === null) return "";
  return lastingText(room.t, nowMs - (row.state === "away" ? row.seenAt : row.stepSince));
}

function Cards({ room, all }: { readonly room: Room; readonly all: readonly RowProps[] }) {
  const { t } = room;
  return (
    <ul class="cards">
      {all.map((props) => {
        const { row } = props;
        const { presence } = row;
        const here = [
          ["since", since(props)],
          ["attempts", presence?.attempts],
          ["hints", presence?.hints],
        ] as const;
        const facts = [...(presence === null ? [] : here), ["lessons", row.lessonsDone], ["points", row.points]] as const;
        return (
          <li key={row.learner} data-state={row.state}>
            <h3>
              <NameLink {...props} />
            </h3>
            <State room={room} state={row.state} />
            <p>
              <Place room={room} row={row} />
            </p>
            <Dots room={room} row={row} />
            <dl>
              {facts.map(([fact, value]) => (
                <div key={fact}>
                  <dt>{t(`classroom.teacher.board.${fact}`)}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
            <Actions {...props} />
          </li>
        );
      })}
    </ul>
  );
}

interface WriteProps {
  readonly room: Room;
  readonly classId: string;
  readonly row: BoardRow;
  readonly name: string;
  readonly close: () => void;
  readonly sent: () => void;
}

function WriteDialog({ room, classId, row, name, close, sent }: WriteProps) {
  const { t } = room;
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const { lab = null, step = null } = row.presence ?? {};
  const at = lab === null || step === null ? undefined : { lab, step };
  return (
    <dialog ref={dialog} class="write" aria-labelledby="write-title" onClose={close}>
      <h2 id="write-title">{t("classroom.teacher.board.writeTo", { name })}</h2>
      <MessageBox
        room={room}
        classId={classId}
        to={row.learner}
        label={t("classroom.teacher.message.text")}
        at={at}
        done={() => {
          dialog.current?.close();
          sent();
        }}
      />
      <form method="dialog">
        <button class="button" type="submit">
          {t("classroom.teacher.cancel")}
        </button>
      </form>
    </dialog>
  );
}
