// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/jobs/jobs_model.h"

#include <algorithm>

namespace suture {
namespace {

QString state_words(JobInfo::State state) {
    switch (state) {
        case JobInfo::State::Queued:
            return QStringLiteral("waiting");
        case JobInfo::State::Running:
            return QStringLiteral("running");
        case JobInfo::State::Finished:
            return QStringLiteral("finished");
        case JobInfo::State::Failed:
            return QStringLiteral("failed");
        case JobInfo::State::Cancelled:
            return QStringLiteral("cancelled");
    }
    return {};
}

QVariant text(const JobInfo& job, int column) {
    switch (column) {
        case JobsModel::Title:
            return job.title;
        case JobsModel::State:
            return state_words(job.state);
        case JobsModel::Time:
            return job.state == JobInfo::State::Queued ? QString() : duration_words(job.seconds);
        case JobsModel::Remark:
            if (job.state == JobInfo::State::Cancelled && job.dropped) return QStringLiteral("the choice changed");
            return job.state == JobInfo::State::Running ? progress_words(job.progress) : job.message;
        default:
            return {};
    }
}

}  // namespace

JobsModel::JobsModel(Lanes& lanes, QObject* parent) : QAbstractTableModel(parent), lanes_(lanes) {
    for (const auto& job : lanes.jobs())
        if (job.lane != Lane::Preview) ids_.push_back(job.id);
    connect(&lanes, &Lanes::job_added, this, &JobsModel::add);
    connect(&lanes, &Lanes::job_changed, this, &JobsModel::update);
    connect(&lanes, &Lanes::job_removed, this, &JobsModel::remove);
}

int JobsModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : int(ids_.size()); }

int JobsModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : Columns; }

QVariant JobsModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const int id = ids_[ids_.size() - 1 - std::size_t(index.row())];
    const JobInfo* job = lanes_.job(id);
    if (role == IdRole) return id;
    if (!job) return {};
    if (role == Qt::DisplayRole) return text(*job, index.column());
    if (role == DetailsRole) return job->details.isEmpty() ? job->message : job->message + QStringLiteral("\n\n") + job->details;
    if (role == Qt::ToolTipRole && !job->message.isEmpty()) return job->message;
    return {};
}

QVariant JobsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    static const QStringList titles{QStringLiteral("Job"), QStringLiteral("State"), QStringLiteral("Time"), QStringLiteral("Remark")};
    return titles.value(section);
}

int JobsModel::row_of(int id) const {
    const auto place = std::lower_bound(ids_.begin(), ids_.end(), id);
    return place == ids_.end() || *place != id ? -1 : int(ids_.end() - place) - 1;
}

void JobsModel::add(int id) {
    if (lanes_.job(id)->lane == Lane::Preview) return;  // nobody asked for it
    beginInsertRows({}, 0, 0);
    ids_.push_back(id);
    endInsertRows();
}

void JobsModel::update(int id) {
    if (const int row = row_of(id); row >= 0) Q_EMIT dataChanged(index(row, 0), index(row, Columns - 1));
}

void JobsModel::remove(int id) {
    const int row = row_of(id);
    if (row < 0) return;
    beginRemoveRows({}, row, row);
    std::erase(ids_, id);
    endRemoveRows();
}

}  // namespace suture
