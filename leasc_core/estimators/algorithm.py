"""Algorithm 1, line by line: the private half of :class:`LeaSC`, from prepared rows to labels."""

from dataclasses import replace

import numpy as np

from ..coding.variants import VARIANTS
from ..data.sources.source import SomeRows
from ..events import Stopped
from ..spectral.kept import KEPT_GRAPHS
from ..stages.cluster import cluster, count_landmarks, project_codes
from ..stages.encode import Encode, LabelPoints, some_rows
from ..stages.ensemble import FREER, SHARE, Together
from ..stages.keep import Unchanged, keep
from ..stages.learn import Coding, learn
from ..stages.represent import check_cluster_count, choose, count_representatives
from .confidence import SAMPLE as CONFIDENCE_FROM
from .confidence import Calibration, LabelWithConfidence, agreement_of_draws
from .rpcm import CODING_LIMITS, RPCM
from .start import check_network, check_start


class Algorithm1:
    """What ``LeaSC`` does with rows once they are prepared and ``affinity_`` is known; it reads the constructor's parameters."""

    def _fit_inside(self, source, inside, context):
        """Algorithm 1 on the rows numbered ``inside`` (None: all); the background of a scene is labelled, but teaches nothing."""
        if inside is None:
            self._fit(source, context)
            return
        self._fit(SomeRows(source, inside), context)
        self.representative_indices_ = inside[self.representative_indices_]
        with context.reporter.stage("labels", len(source)):
            count, encode = context.reporter.counter("labels", len(source)), Encode(self.encoder_, self.unit_rows)
            settings = ("everywhere", (), np.int32, count)
            self.labels_ = context.engine.map(LabelPoints(encode, self.model_), source, context.store, *settings)
            if self.confidence_draws:
                sure = LabelWithConfidence(encode, self.model_, self.calibration_)
                settings = ("confidence everywhere", (2,), np.float32, count)
                self.confidence_ = context.engine.map(sure, source, context.store, *settings)[:, 1]

    def _fit(self, source, context):
        """Algorithm 1, line by line."""
        self._choose_representatives(source, context)
        self._fit_encoder(source, context)
        k = self._count_clusters()
        fitted = (self._keep if self.affinity_ in KEPT_GRAPHS else self._join)(source, k, context)
        self.model_, self.labels_, self.n_clusters_ = fitted.model, fitted.labels, fitted.n_clusters
        self.eigenvalues_ = getattr(self.model_, "map", self.model_).eigenvalues
        self._n_features_out = len(self.representatives_)
        if self.confidence_draws:
            self._learn_confidence(source, fitted.margins, context)

    def _keep(self, source, k, context):
        """Every point kept, their graph cut; f only gives codes to those who ask for them."""
        fitted = keep(source, self.affinity_, k, context, self.n_draws)
        self.encoder_, self.directions_ = Unchanged(), None
        return fitted

    def _join(self, source, k, context):
        """The codes of everything, joined to landmarks or representatives."""
        draws = [(self.encoder_, context), *self._other_draws(source, context)]
        if self.n_draws > 1:
            self.encoder_ = Together(tuple(encoder for encoder, _ in draws))
        return cluster(
            source,
            Encode(self.encoder_, self.unit_rows),
            k,
            context,
            **self._graph_settings(),
            n_landmarks=self._count_landmarks(k, len(source)),
            draws=[(Encode(encoder, self.unit_rows), drawn) for encoder, drawn in draws],
        )

    def _choose_representatives(self, source, context):
        n = count_representatives(self, len(source))
        chosen = choose(source, n, context, selector=self.selector, sign=self.sign, unit_rows=self.unit_rows)
        check_start(chosen, source)
        chosen = chosen.with_sign(self.sign, context)
        self.representative_indices_, self.representatives_ = chosen.indices, chosen.points
        self.sign_ignored_ = chosen.sign_ignored
        check_cluster_count(self.n_clusters, self.representatives_, "representatives")

    def _fit_encoder(self, source, context):
        """The codes of the representatives and f, its output turned to the main directions of the codes."""
        context.reporter.checkpoint()
        try:
            learned = learn(self.representatives_, self._coding(), context.seeded(context.seeds.integer("coding")))
        except Stopped as stop:
            if stop.args:
                self._keep_learned(stop.args[0])
            raise
        self._keep_learned(learned)
        check_network(self.network_, self.representatives_)
        self.encoder_, self.directions_ = self._project_codes(self.network_, source, context)

    def _keep_learned(self, learned):
        self.network_, self.n_iter_, self.history_ = learned.network, learned.n_iter, list(learned.history)
        if learned.codes is not None:
            self.rpcm_ = RPCM(**self._rpcm_settings(), on_event=self.on_event)
            self.rpcm_.n_features_in_ = self.representatives_.shape[1]
            self.rpcm_._keep(learned)

    def _other_draws(self, source, context):
        """``(encoder, context)`` of all draws but the first: representatives, codes and f, drawn anew.

        Where errors are squared these draws have ten times the β: freer codes follow the points more closely, and chance
        too, which is another in every draw, so that the consensus outvotes it. Where an error's length is paid for, the
        usual β leaves no error to be free of.
        """
        coding = self._coding()
        if coding.noise_used == "f2":
            coding = replace(coding, beta=FREER * coding.beta_used)
        few = int(min(len(self.representatives_), max(self.n_clusters or 2, 2, SHARE * len(source))))
        sign = "ignore" if self.sign_ignored_ else "keep"
        for number in range(1, self.n_draws):
            own = context.draw(number)
            chosen = choose(source, few, own, selector=self.selector, sign=sign, unit_rows=self.unit_rows)
            check_cluster_count(self.n_clusters, chosen.points, "representatives")
            own.reporter.checkpoint()
            network = learn(chosen.points, coding, own.seeded(own.seeds.integer("coding"))).network
            yield self._project_codes(network, source, own)[0], own

    def _project_codes(self, network, source, context):
        """The encoder (f in the precision asked, turned to the main directions of its codes) and those directions or None."""
        code_dim = self.code_dim if self.affinity_ == "landmarks" else None
        directions = project_codes(source, Encode(network, self.unit_rows), network.weights[-1].shape[1], code_dim, context)
        encoder = network if directions is None else network.project(directions)
        return replace(encoder, precision=self.precision), directions

    def _count_clusters(self):
        """The number of clusters, as asked or as found before."""
        if self.counts_ is None:
            self.counted_by_ = None
            return self.n_clusters
        self.counted_by_ = self.counts_.plateaus[0].how if self.counts_.found else "none"
        return self.counts_.k

    def _learn_confidence(self, source, margins, context):
        """How sure each label is, by draws on a sample (:mod:`leasc_core.estimators.confidence`)."""

        def calibrate():
            with context.reporter.stage("confidence"):
                rng = context.seeds("confidence")
                rows = some_rows(len(source), CONFIDENCE_FROM, rng)
                points, labels = context.engine.take(source, rows), np.asarray(self.labels_[rows])
                agreement = agreement_of_draws(self, points, labels, self.n_clusters_, self.confidence_draws, rng)
                found = Calibration.fit(np.asarray(margins[rows]), agreement)
                return {}, {"margins": found.margins, "agreement": found.agreement}

        margins = margins()
        self.calibration_ = Calibration(**context.store.once("confidence", calibrate)[1])
        self.confidence_ = self.calibration_(np.asarray(margins))

    def _rpcm_settings(self):
        """The parameters of the :class:`RPCM`; self-codes are forbidden only where they would be trivial."""
        settings = {name: getattr(self, name) for name in CODING_LIMITS}
        if self.zero_diagonal == "auto":
            settings["zero_diagonal"] = VARIANTS[self.variant].self_code_is_trivial
        return settings | {"hidden": Coding(**settings).hidden_used}

    def _coding(self):
        return Coding(**self._rpcm_settings())

    def _count_landmarks(self, k, n_points):
        return count_landmarks(k, self.n_landmarks, n_points) if self.affinity_ == "landmarks" else None

    def _graph_settings(self):
        affinity = "codes" if self.affinity_ == "codes" else "landmarks"
        return {"affinity": affinity, "n_neighbors": self.n_neighbors, "sign_ignored": self.sign_ignored_}
